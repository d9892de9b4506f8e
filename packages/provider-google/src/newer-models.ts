import { perCount, usd, type Card, type CardSource } from '@dragoman/core/provider'

const GEMINI = {
  owner: 'google',
  input: ['text', 'image', 'audio', 'video', 'file'],
  output: ['text'],
  reasoning: {},
} as const
const LARGE = { context: 1_048_576, maxOutput: 65_536 } as const
const web_search = perCount(0.014)

function stated(from: string, date: string): readonly CardSource[] {
  return [{ facts: ['name', 'limits'], from, date }]
}

/** Models of which only their names are known, and names that point to another model from time to time. */
const NAMED: readonly CardSource[] = [{ facts: ['name'], from: '@google/genai 2.32.0', date: '2026-11' }]

/** Models that the catalogue of `models.ts` does not have. Their ranks follow the rule of scripts/quality.ts. */
export const newerModels = [
  {
    name: 'gemini-4-argon',
    display: 'Google: Gemini 4 Argon',
    released: '2026-10-13',
    quality: 97,
    ...GEMINI,
    // One window for the prompt, the thoughts and the answer.
    context: 1_048_576,
    // From 2026-12-01 on. The introductory price until then is not used: see docs/cost.md.
    prices: usd({ prompt: 4, completion: 20, input_cache_read: 0.2, web_search }),
    sources: stated('https://github.com/BerriAI/litellm/discussions/46238', '2026-10'),
  },
  {
    name: 'gemini-3.8-flash',
    display: 'Google: Gemini 3.8 Flash',
    released: '2026-09-02',
    quality: 86,
    ...GEMINI,
    ...LARGE,
    prices: usd({ prompt: 1.5, completion: 7.5, input_cache_read: 0.15, web_search }),
    sources: stated('https://vercel.com/ai-gateway/models/gemini-3.8-flash', '2026-10'),
  },
  {
    name: 'gemini-3.7-flash',
    display: 'Google: Gemini 3.7 Flash',
    released: '2026-08-13',
    quality: 84,
    ...GEMINI,
    ...LARGE,
    prices: usd({ prompt: 1.5, completion: 7.5, input_cache_read: 0.15, web_search }),
    sources: stated('https://github.com/anomalyco/models.dev', '2026-11'),
  },
  {
    name: 'gemini-3.1-flash-lite',
    display: 'Google: Gemini 3.1 Flash-Lite',
    released: '2026-05-07',
    quality: 55,
    ...GEMINI,
    ...LARGE,
    prices: usd({ prompt: 0.25, completion: 1.5, input_cache_read: 0.025, web_search }),
    sources: stated('https://github.com/anomalyco/models.dev', '2026-11'),
  },
  {
    name: 'gemini-3.1-pro-preview-customtools',
    display: 'Google: Gemini 3.1 Pro Preview Custom Tools',
    released: '2026-02-19',
    quality: 94,
    ...GEMINI,
    ...LARGE,
    prices: usd({ prompt: [2, 4], completion: [12, 18], input_cache_read: [0.2, 0.4], web_search }, [200]),
    sources: stated('https://github.com/anomalyco/models.dev', '2026-11'),
  },
  { name: 'gemini-pro-latest', display: 'Google: Gemini Pro (latest)', quality: 94, ...GEMINI, sources: NAMED },
  { name: 'gemini-flash-latest', display: 'Google: Gemini Flash (latest)', quality: 84, ...GEMINI, sources: NAMED },
  {
    name: 'gemini-flash-lite-latest',
    display: 'Google: Gemini Flash-Lite (latest)',
    quality: 60,
    ...GEMINI,
    sources: NAMED,
  },
  {
    name: 'gemini-robotics-er-2-preview',
    display: 'Google: Gemini Robotics-ER 2 Preview',
    quality: 70,
    ...GEMINI,
    sources: NAMED,
  },
  {
    name: 'gemma-4-31b-it',
    display: 'Google: Gemma 4 31B',
    owner: 'google',
    quality: 60,
    input: ['text', 'image'],
    output: ['text'],
    prices: usd({ prompt: 0, completion: 0 }),
    sources: NAMED,
  },
  {
    name: 'gemma-4-26b-a4b-it',
    display: 'Google: Gemma 4 26B A4B',
    owner: 'google',
    quality: 54,
    input: ['text', 'image'],
    output: ['text'],
    prices: usd({ prompt: 0, completion: 0 }),
    sources: NAMED,
  },
  {
    name: 'gemini-nano-banana-2.1',
    display: 'Google: Nano Banana 2.1',
    owner: 'google',
    released: '2026-10-07',
    quality: 70,
    input: ['text', 'image'],
    output: ['text', 'image'],
    reasoning: {},
    prices: usd({ prompt: 1.5, completion: 7.5, image: 30 }),
    sources: stated('https://docs.laozhang.ai/api-capabilities/nano-banana-2-1-image', '2026-10'),
  },
  {
    name: 'gemini-3.1-flash-lite-image',
    display: 'Google: Gemini 3.1 Flash-Lite Image',
    owner: 'google',
    quality: 55,
    input: ['text', 'image'],
    output: ['text', 'image'],
    sources: NAMED,
  },
] as const satisfies readonly Card[]
