/** What a command uses of its process, and all that it may use: so it can run in any process, tests' too. */
export interface Terminal {
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: NodeJS.ReadableStream;
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: Screen;
}

/** Somewhere to write to that a person may be looking at. */
export interface Screen extends NodeJS.WritableStream {
  readonly isTTY?: boolean;
  /** Absent where it is no file of the system. */
  readonly fd?: number;
}
