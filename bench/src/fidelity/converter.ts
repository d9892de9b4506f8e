import type { Fixture, Kind, ProtocolName } from './fact.ts'
import type { JsonObject } from './json.ts'

/** What came out, and what the converter itself says was lost on the way. */
export interface Converted {
  readonly wire: JsonObject
  readonly report: readonly string[]
}

export interface Task {
  readonly kind: Kind
  readonly from: ProtocolName
  readonly to: ProtocolName
  readonly wire: JsonObject
  /** Whose model the target reaches, where that is not its protocol's own. */
  readonly issuer?: string | undefined
}

/** Something that is scored. */
export interface Converter {
  readonly name: string
  /** What it says it converts, for the reader of a table. It is scored on that and on nothing else. */
  readonly scope: string
  takes(fixture: Fixture, from: ProtocolName, to: ProtocolName): boolean
  convert(task: Task): Converted | Promise<Converted>
}
