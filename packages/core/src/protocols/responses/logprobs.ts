import { keep, known, restore, unknownOf } from '../../ir/extras.ts'
import type { Losses } from '../../ir/loss.ts'
import type { Logprob } from '../../ir/response.ts'
import type { Draft } from '../../lib/members.ts'
import { isObject, listOf } from '../../lib/json.ts'
import { logprob, NAME, type Item, type WireLogprob, type WirePart } from './schema.ts'

const LOGPROB = known(logprob)

/** The tokens of one text. */
function decodeLogprobs(wire: readonly WireLogprob[] | null | undefined): Logprob[] {
  return listOf(wire).filter(isLogprob).map(decodeLogprob)
}

function isLogprob(wire: WireLogprob): boolean {
  return isObject(wire) && typeof wire.token === 'string' && typeof wire.logprob === 'number'
}

function decodeLogprob(wire: WireLogprob): Logprob {
  const { token, logprob, bytes, top_logprobs } = wire
  const one: Draft<Logprob> = { token, logprob }
  if (Array.isArray(bytes) && bytes.length > 0) one.bytes = bytes
  const top = decodeLogprobs(top_logprobs)
  if (top.length > 0) one.top = top
  return keep(one, NAME, unknownOf(wire, LOGPROB))
}

function encodeLogprob(one: Logprob): WireLogprob {
  return { ...encodeTop(one), top_logprobs: one.top?.map(encodeTop) ?? [] }
}

function encodeTop(one: Logprob): WireLogprob {
  const bytes = (one.bytes ?? []) as number[] // written, never changed
  return restore(NAME, one, { token: one.token, logprob: one.logprob, bytes })
}

/** Divides the tokens of a response among its texts, by their lengths. */
export interface TokenShares {
  /** The tokens of the next text. */
  next(text: string): WireLogprob[]
  /** How many tokens texts have taken. */
  taken(): number
}

export function createTokenShares(tokens: readonly Logprob[]): TokenShares {
  let at = 0
  return {
    next(text) {
      const share: WireLogprob[] = []
      for (let length = 0; length < text.length && at < tokens.length; at++) {
        const token = tokens[at] as Logprob // within the list
        length += token.token.length || 1
        share.push(encodeLogprob(token))
      }
      return share
    },
    taken: () => at,
  }
}

/** The log probabilities of a streamed answer, which come while its texts do. */
export interface StreamTokens {
  add(tokens: readonly Logprob[]): void
  /** A text that takes them, until it ends. */
  beginText(wire: WirePart): void
  endText(): void
  /** The items. Tokens that came after their text are in the last text. */
  finish(items: readonly Item[]): readonly Item[]
}

export function createStreamTokens(losses: Losses): StreamTokens {
  const tokens: Logprob[] = []
  let taken = 0 // tokens that a text has
  let text: { logprobs?: WireLogprob[] | null | undefined } | undefined
  const give = (): void => {
    if (text === undefined) return
    text.logprobs ??= []
    while (taken < tokens.length) text.logprobs.push(encodeLogprob(tokens[taken++] as Logprob)) // within the list
  }
  return {
    add(more) {
      for (const token of more) tokens.push(token)
      give()
    },
    beginText(wire) {
      if (wire.type !== 'output_text') return
      text = wire
      give()
    },
    endText() {
      text = undefined
    },
    finish: (items) => withRest(items, tokens, taken, losses.at('candidates', 0)),
  }
}

/** The items with the tokens that no text has taken in the last text. They are reported if there is no text. */
export function withRest(
  items: readonly Item[],
  tokens: readonly Logprob[],
  taken: number,
  losses: Losses,
): readonly Item[] {
  if (taken === tokens.length) return items
  const whole = withTokens(items, tokens.slice(taken))
  if (whole === undefined) reportTokens(tokens, taken, losses)
  return whole ?? items
}

/** The log probabilities of a message. */
export function tokensOf(item: Item): Logprob[] {
  return contentOf(item).flatMap((part) =>
    isObject(part) && part.type === 'output_text' ? decodeLogprobs(part.logprobs) : [],
  )
}

/** The items with more tokens for the last text; undefined if there is no text. */
function withTokens(items: readonly Item[], tokens: readonly Logprob[]): readonly Item[] | undefined {
  const index = items.findLastIndex((item) => contentOf(item).some(isText))
  const item = items[index]
  if (item === undefined) return undefined
  const content = contentOf(item)
  const at = content.findLastIndex(isText)
  const text = content[at] as { readonly logprobs?: readonly WireLogprob[] | null } // it is one
  const logprobs = [...(text.logprobs ?? []), ...tokens.map(encodeLogprob)]
  return items.with(index, { ...item, content: content.with(at, { ...text, logprobs } as WirePart) } as Item) // of its kind
}

/** The parts of a message. */
export function contentOf(item: Item): readonly WirePart[] {
  return 'content' in item && Array.isArray(item.content) ? (item.content as readonly WirePart[]) : []
}

function isText(part: WirePart): boolean {
  return isObject(part) && part.type === 'output_text'
}

/** Tokens that no text has. */
function reportTokens(tokens: readonly Logprob[], taken: number, losses: Losses): void {
  const why = 'responses has them with their texts'
  if (taken === 0) return losses.dropped(['logprobs'], why)
  for (let index = taken; index < tokens.length; index++) losses.dropped(['logprobs', 'tokens', index], why)
}
