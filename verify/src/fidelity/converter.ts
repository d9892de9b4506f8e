import type { Fixture, Kind, ProtocolName } from './fact.ts'
import type { JsonObject } from './json.ts'

/** The output, and the losses that the converter itself reports. */
export interface Converted {
  readonly wire: JsonObject
  readonly report: readonly string[]
}

export interface Task {
  readonly kind: Kind
  readonly from: ProtocolName
  readonly to: ProtocolName
  readonly wire: JsonObject
  /** The issuer of the target's model, if it is not the vendor of the protocol. */
  readonly issuer?: string | undefined
}

/** A converter to score. */
export interface Converter {
  readonly name: string
  /** What it claims to convert, for the table. It is scored only on that. */
  readonly scope: string
  takes(fixture: Fixture, from: ProtocolName, to: ProtocolName): boolean
  convert(task: Task): Converted | Promise<Converted>
}
