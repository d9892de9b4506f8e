import type { JsonObject } from '../lib/json.ts'

/** An item of an answer that requests may name by its id, as JSON text. */
export interface AnswerItem {
  readonly id: string
  readonly text: string
}

/** References of requests to items of earlier answers, in place of the items themselves. */
export interface ReferenceCodec {
  /** Whether the items of the answer to this request may be remembered. */
  allows(body: JsonObject): boolean
  /** The ids that a request names. It has not been checked. */
  find(body: JsonObject): readonly string[]
  /** The top-level members of a request with items, as JSON text, in place of their references. Unknown references stay. */
  fill(body: JsonObject, texts: ReadonlyMap<string, string>): JsonObject
  /** The items of a whole answer. */
  items(answer: JsonObject): readonly AnswerItem[]
  /** The item that the data of an event completes. */
  streamed(data: string): AnswerItem | undefined
  /** Every event that completes an item contains this text. */
  readonly marker: string
}
