/** The protocols of clients and upstreams. */
export type Protocol = 'chat' | 'messages' | 'genai' | 'responses'
export type Scenario = 'question' | 'tools' | 'session' | 'limit' | 'abort'
export type LanguageName = 'javascript' | 'python' | 'go' | 'java'

/** One entry of the suite: a client that speaks one protocol. A client with several protocols has several entries. */
export interface Client {
  /** Its name on the command line and in file names. */
  readonly name: string
  readonly title: string
  readonly language: LanguageName
  /** An agent calls tools. An editor does not: it edits files by what the model writes. A library has a driver. */
  readonly kind: 'agent' | 'editor' | 'library'
  readonly protocol: Protocol
  /** The upstreams that it can use. Without this, all. */
  readonly upstreams?: readonly Protocol[] | undefined
  /**
   * What it sends back after a tool turn with thinking: everything, everything except of relayed streams, calls with their own signatures,
   * or only texts and calls. In chat and messages the ids of calls contain their signatures, so that clients which send back
   * only ids return them too.
   */
  readonly echoes: 'signatures' | 'translated signatures' | 'signed calls' | 'calls'
  /** The lines that connect it, for docs/clients.md. */
  readonly connect: string
  /** Why a run cannot succeed: a fault of the client, with which it fails without the gateway too. */
  readonly fault?: ((cell: Cell) => string | undefined) | undefined
  install(): Promise<Installed>
  /** Runs that only this client has. */
  readonly scenes?: ((installed: Installed) => Promise<readonly SceneResult[]>) | undefined
}

/** A run that only one client has, and what went wrong. */
export interface SceneResult {
  readonly title: string
  readonly problems: readonly string[]
}

/** One run: which scenario with which upstream. */
export interface Cell {
  readonly scenario: Scenario
  readonly upstream: Protocol
  readonly stream: boolean
}

/** A client that is ready to run. */
export interface Installed {
  /** The packages that matter, with their versions. */
  readonly versions: { readonly [name: string]: string }
  /** The commands of a scenario, which run one after another. */
  commands(run: Run): readonly Command[]
}

export interface Run {
  /** The root of the server, without a path. */
  readonly url: string
  readonly key: string
  readonly model: string
  readonly scenario: Scenario
  readonly stream: boolean
  /** The home folder of this run, with all its configuration. */
  readonly home: string
  /** The folder that agents work in, with first.txt and second.txt. */
  readonly work: string
}

export interface Command {
  readonly program: string
  readonly args: readonly string[]
  readonly env: { readonly [name: string]: string }
}

/** The language of a client is not installed on this machine. */
export class NotInstalledError extends Error {
  override readonly name = 'NotInstalledError'
}
