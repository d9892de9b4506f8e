/** Behavior that magic words in the prompt turn on. */
export interface Magic {
  /** `[[error 429]]`: answer with this status. */
  readonly error?: number
  /** `[[cut]]`: the connection breaks in the middle of the response. */
  readonly cut: boolean
  /** `[[refuse]]`: the model declines. */
  readonly refuse: boolean
  /** `[[block]]`: the prompt is refused before anything is generated. */
  readonly block: boolean
  /** `[[fail]]`: the video cannot be generated, which its operation reports. */
  readonly fail: boolean
  /** `[[pause]]`: the model pauses in the middle of its turn, and the client must continue it. */
  readonly pause: boolean
  /** `[[redact]]`: reasoning is encrypted as a whole. */
  readonly redact: boolean
  /** `[[search]]` and `[[search fail]]`: the upstream searches the web first. */
  readonly search: 'found' | 'failed' | undefined
  /** `[[cite]]`: the text cites a source. */
  readonly cite: boolean
  /** `[[slow]]`: ten tokens a second. */
  readonly slow: boolean
}

const WORD = /\[\[(cut|refuse|block|fail|pause|redact|cite|slow|search|search fail|error ([45]\d\d))\]\]/g

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
      block: has('block'),
      fail: has('fail'),
      pause: has('pause'),
      redact: has('redact'),
      search: has('search') ? 'found' : has('search fail') ? 'failed' : undefined,
      cite: has('cite'),
      slow: has('slow'),
    },
  }
}
