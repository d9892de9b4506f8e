/** Behaviour asked for by words in the prompt. */
export interface Magic {
  /** `[[error 429]]`: answer with this status. */
  readonly error?: number
  /** `[[cut]]`: the connection breaks in the middle of the answer. */
  readonly cut: boolean
  /** `[[refuse]]`: the model declines. */
  readonly refuse: boolean
  /** `[[slow]]`: ten tokens a second. */
  readonly slow: boolean
}

const WORD = /\[\[(cut|refuse|slow|error ([45]\d\d))\]\]/g

/** The magic words of a text, and the text without them. */
export function readMagic(text: string): { readonly text: string; readonly magic: Magic } {
  const found = [...text.matchAll(WORD)]
  const has = (word: string): boolean => found.some(([, name]) => name === word)
  const status = found.flatMap(([, , digits]) => digits ?? []).at(0)
  return {
    text: text.replaceAll(WORD, ' ').replaceAll(/ {2,}/g, ' ').trim(),
    magic: {
      ...(status === undefined ? {} : { error: Number(status) }),
      cut: has('cut'),
      refuse: has('refuse'),
      slow: has('slow'),
    },
  }
}
