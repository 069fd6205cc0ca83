/** All that a command may use of its process, so that it runs in any process, also that of a test. */
export interface Terminal {
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: NodeJS.ReadableStream;
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: Screen;
}

/** An output that may be a terminal. */
export interface Screen extends NodeJS.WritableStream {
  readonly isTTY?: boolean;
  /** Absent if it is no file of the operating system. */
  readonly fd?: number;
}
