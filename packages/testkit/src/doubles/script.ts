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
  /** Frames after which the stream stops: by a broken connection, or by an end that looks clean. */
  readonly cut?: { readonly after: number; readonly how: 'broken' | 'clean' }
  /** Frames after which nothing comes until `release` is called. */
  readonly stall?: number
}

/** An error that is no refusal of ours: overloaded, rate limited, out of order. */
export interface Failure {
  readonly status: number
  readonly error: { readonly type: string; readonly message: string }
  readonly headers?: { readonly [name: string]: string }
}

export type Turn = Answer | Failure
/** One turn per call; the last one answers all that follow. */
export type Script = readonly [Turn, ...Turn[]]

export const DEFAULT_USAGE: AnswerUsage = { input: 11, output: 7 }

/** The seal of a double: recognisable, and only right for the text it was made for. */
export function sign(text: string): string {
  let hash = 7
  for (const char of text) hash = (hash * 31 + (char.codePointAt(0) ?? 0)) % 1_000_000_007
  return `double-signature-${hash}`
}

export function sealHidden(text: string): string {
  return `double-hidden-${sign(text)}`
}

export function isHiddenSeal(data: string): boolean {
  return data.startsWith('double-hidden-')
}

/** A text in a few pieces, as models write it. */
export function tokensOf(text: string): string[] {
  return text === '' ? [] : (text.match(/[\s\S]{1,5}/gu) ?? [text])
}
