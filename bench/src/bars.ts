/** The limit of a figure, and its goal. */
export interface Bar {
  readonly must: number
  readonly aim: number
}

/** Ratios to the floor. A figure without a bar is for information. Typical and new requests have ten tools with nested schemas. */
export const CONVERTER_BARS = {
  'typical request': { must: 1.6, aim: 1.3 },
  'typical request, checked': { must: 2, aim: 1.5 },
  'new request': { must: 1.6, aim: 1.3 },
  'new request, checked': { must: 2, aim: 1.5 },
  '1 MB request': { must: 1.1, aim: 1.05 },
  '1 MB request, checked': { must: 2, aim: 1.5 },
  'many short turns': undefined,
  'many short turns, checked': undefined,
  response: { must: 1.5, aim: 1.25 },
  stream: { must: 1, aim: 0.6 },
} as const satisfies { readonly [name: string]: Bar | undefined }

/**
 * CPU time as ratios to the node:http pass-through of the same run, for the worst pair of protocols. The last rows are requests × Portkey,
 * where more is better.
 */
export const SERVER_BARS = {
  relayRequest: { must: 1.6, aim: 1.3 },
  translateRequest: { must: 2, aim: 1.6 },
  relayLarge: { must: 2.3, aim: 1.8 },
  translateLarge: { must: 3.3, aim: 2.7 },
  relayToken: { must: 1.1, aim: 0.95 },
  translateToken: { must: 1.2, aim: 1.05 },
  coldStartMs: { must: 350, aim: 200 },
  idleMegabytes: { must: 90, aim: 65 },
  streamsMegabytes: { must: 340, aim: 300 },
  portkeyRelay: { must: 7, aim: 15 },
  portkeyTranslate: { must: 6, aim: 12 },
} as const satisfies { readonly [name: string]: Bar }

/** Streams of 50 tokens a second per core with little added delay. More is better. */
export const STREAMS_BAR = { must: 150, aim: 200, addedP99Ms: 15 } as const

/** The largest growth of a flat heap in a minute without new work, in percent. */
export const SOAK_BARS = { growthPercent: 5 } as const

/** The verdict for a figure of which less is better. */
export function judge(value: number, bar: Bar | undefined): string {
  if (bar === undefined || !Number.isFinite(value)) return ''
  if (value <= bar.aim) return 'PASS aim'
  return value <= bar.must ? 'PASS' : 'OVER'
}

/** The same for a figure that is not certain: all verdicts that it may have, the best first. */
export function judgeWithin(value: number, uncertainty: number, bar: Bar | undefined): string {
  const verdict = judge(value, bar)
  if (verdict === '') return ''
  if (!Number.isFinite(uncertainty)) return `${verdict} ?`
  const ends = [1 - uncertainty, 1, 1 + uncertainty].map((factor) => judge(value * factor, bar))
  return [...new Set(ends)].join(' or ')
}

/** Of an image of 20 MB: memory in multiples of its size, and the longest stall. A floor is JSON.parse and JSON.stringify of the body. */
export const IMAGE_BARS = {
  relay: { most: 3, stall: { ms: 20 } },
  translate: { most: 6, stall: { floors: 1.2 } },
} as const
