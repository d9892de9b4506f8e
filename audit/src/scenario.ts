import type { Server, ServerOptions } from './server/start-server.ts'
import type { AuditUpstream } from './upstream/start-upstream.ts'

/** An attack on a server, or a comparison of its books with those of the upstream, that can be run by its name. */
export interface Scenario {
  readonly name: string
  /** What is tried. */
  readonly attack: string
  /** What must hold. */
  readonly rule: string
  /** What a server did that did not keep the rule. */
  readonly before: string
  /** Most of its time it waits: for 30 seconds until an instance that was killed is given up, or for usage after a caller has left. */
  readonly waits?: true
  readonly run: (stage: Stage) => Promise<void>
}

/** What a scenario has. Everything that it starts ends with it. */
export interface Stage {
  /** `short` takes a few seconds, for the suite. `full` has the figures of the attack. */
  readonly size: 'short' | 'full'
  readonly upstream: AuditUpstream
  /** A server of the checkout under test, whose providers call the upstream. Providers of the configuration are added to them. */
  readonly start: (options?: StageServer) => Promise<Server>
  /** A new folder, which is removed at the end. */
  readonly folder: () => string
  /** Says whether a rule holds, and what was seen. */
  readonly check: (rule: string, holds: boolean, seen?: unknown) => void
  /** Runs at the end. */
  readonly defer: (end: () => unknown) => void
}

export interface StageServer extends Omit<ServerOptions, 'root' | 'config'> {
  readonly config?: { readonly providers?: object; readonly [part: string]: unknown }
}
