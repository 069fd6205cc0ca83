interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** The metrics of a service from `/metrics` (Prometheus' text format). */
export class Scrape {
  readonly #samples: Sample[];

  private constructor(private readonly text: string) {
    this.#samples = [...text.matchAll(/^(\w+)(?:\{(.*)\})? (\S+)$/gm)].map(
      ([, name, labels = '', value]) => ({
        name: name!,
        labels: Object.fromEntries(
          [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, text]) => [key!, text!]),
        ),
        value: Number(value),
      }),
    );
  }

  static async of(url: string): Promise<Scrape> {
    const response = await fetch(url);
    if (response.status !== 200) throw new Error(`${url} answered ${response.status}`);
    return new Scrape(await response.text());
  }

  /** Every metric name that a query may use, including those without a sample yet. */
  get names(): Set<string> {
    const types = this.text.matchAll(/^# TYPE (\w+) (\w+)$/gm);
    return new Set(
      [...types].flatMap(([, name, type]) =>
        type === 'histogram' ? ['', '_bucket', '_sum', '_count'].map((end) => name! + end) : [name!],
      ),
    );
  }

  samples(name: string): Sample[] {
    return this.#samples.filter((sample) => sample.name === name);
  }

  value(name: string, labels: Readonly<Record<string, string>> = {}): number | undefined {
    const wanted = Object.entries(labels);
    return this.samples(name).find((sample) => wanted.every(([key, text]) => sample.labels[key] === text))
      ?.value;
  }
}
