/** What a double answers, whatever its protocol: the parts of a turn, how it ends, and how the bytes are sent. */
export interface Answer {
  readonly parts: readonly AnswerPart[]
  /** In the words of the protocol; by default what fits the parts. */
  readonly stop?: string
  readonly usage?: AnswerUsage
  readonly sending?: Sending
}

export type AnswerPart =
  | { readonly text: string }
  /** Thoughts that the double signs; with `hidden` only the seal is given. */
  | { readonly reasoning: string; readonly hidden?: true }
  | { readonly call: string; readonly id: string; readonly input: { readonly [key: string]: unknown } }

export interface AnswerUsage {
  readonly input: number
  readonly output: number
  readonly cacheRead?: number
  readonly reasoning?: number
}

/** How the bytes of a stream go out. */
export interface Sending {
  /** Bytes per write; by default one frame. */
  readonly pieces?: number
  /** Comments or pings between the frames. */
  readonly pings?: true
  /** Frames after which the stream stops: by a broken connection, by an end that looks clean, or by an error of its own. */
  readonly cut?: { readonly after: number; readonly how: 'broken' | 'clean' | InStream }
  /** Frames after which nothing comes until `release` is called. */
  readonly stall?: number
}

/** An error that is no refusal of ours: overloaded, rate limited, out of order. */
export interface Failure {
  readonly status: number
  readonly error: Complaint
  readonly headers?: { readonly [name: string]: string }
}

/** The type is a word of the protocol, or one of those that all doubles know. */
export interface Complaint {
  readonly type: string
  readonly message: string
  readonly code?: string
  readonly param?: string
}

/** An error inside a stream, with the status that it would have had. */
export interface InStream {
  readonly status: number
  readonly error: Complaint
}

/** Bytes that no protocol has words for: a page of a proxy, half an answer. */
export interface Raw {
  readonly status: number
  readonly raw: string
  readonly headers?: { readonly [name: string]: string }
}

export type Turn = Answer | Failure | Raw
/** One turn per call; the last one answers all that follow. */
export type Script = readonly [Turn, ...Turn[]]

export const DEFAULT_USAGE: AnswerUsage = { input: 11, output: 7 }

/** The seals of one double: recognisable, only right for what they were made for, and nobody else's. */
export interface Seals {
  readonly sign: (text: string) => string
  readonly hide: (text: string) => string
  readonly isSigned: (signature: string, text: string) => boolean
  readonly isHidden: (data: string) => boolean
}

export function createSeals(issuer: string): Seals {
  const hidden = `${issuer}-hidden-`
  const sign = (text: string): string => `${issuer}-signature-${hashOf(text)}`
  return {
    sign,
    hide: (text) => `${hidden}${hashOf(text)}`,
    isSigned: (signature, text) => signature === sign(text),
    isHidden: (data) => data.startsWith(hidden),
  }
}

function hashOf(text: string): number {
  let hash = 7
  for (const char of text) hash = (hash * 31 + (char.codePointAt(0) ?? 0)) % 1_000_000_007
  return hash
}

/** A text in a few pieces, as models write it. */
export function tokensOf(text: string): string[] {
  return text === '' ? [] : (text.match(/[\s\S]{1,5}/gu) ?? [text])
}
