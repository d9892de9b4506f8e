/** What a figure may be, and what it should be. */
export interface Bar {
  readonly must: number
  readonly aim: number
}

/** Ratios to the floor. Without a bar a figure is for information. */
export const CONVERTER_BARS = {
  'typical request': { must: 1.3, aim: 1.15 },
  'typical request, checked': { must: 2, aim: 1.5 },
  '1 MB request': { must: 1.1, aim: 1.05 },
  '1 MB request, checked': { must: 2, aim: 1.5 },
  'many short turns': undefined,
  'many short turns, checked': undefined,
  response: { must: 1.3, aim: 1.2 },
  stream: { must: 1.2, aim: 0.9 },
} as const satisfies { readonly [name: string]: Bar | undefined }

/** CPU time as ratios to the node:http relay of the same run. */
export const SERVER_BARS = {
  relayRequest: { must: 1.2, aim: 0.95 },
  relayToken: { must: 1.2, aim: 1 },
  relayLarge: { must: 1.5, aim: 1.1 },
  translateRequest: { must: 1.6, aim: 1.2 },
  translateToken: { must: 1.6, aim: 1.3 },
  coldStartMs: { must: 600, aim: 350 },
  idleMegabytes: { must: 100, aim: 80 },
} as const satisfies { readonly [name: string]: Bar }

/** Requests per second as ratios to Portkey: more is better. */
export const PORTKEY_BAR: Bar = { must: 4, aim: 7 }

/** Streams of 50 tokens a second held by one core with little delay added: more is better. */
export const STREAMS_BAR = { must: 150, aim: 200, addedP99Ms: 20 } as const

/** How much a heap may grow in a minute of nothing new, in percent, and still be called flat. */
export const SOAK_BARS = { growthPercent: 5 } as const

/** A word for a figure of which less is better. */
export function judge(value: number, bar: Bar | undefined): string {
  if (bar === undefined || !Number.isFinite(value)) return ''
  if (value <= bar.aim) return 'PASS aim'
  return value <= bar.must ? 'PASS' : 'OVER'
}

/** A word for a figure of which more is better. */
export function judgeMore(value: number, bar: Bar): string {
  if (value >= bar.aim) return 'PASS aim'
  return value >= bar.must ? 'PASS' : 'UNDER'
}
