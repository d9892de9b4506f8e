const gone = (date: string): string => `the SDK says: shut down on ${date}`
const SOUND = 'speech, music and robots: no operation here calls it'
const UNSTATED = 'no source in reach states its limits, its price or its end'

/** Models that the SDK of OpenAI names and that have no card. */
export const openaiModels = {
  'chatgpt-4o-latest': gone('2026-02-17'),
  'codex-mini-latest': gone('2026-02-12'),
  'computer-use-preview': UNSTATED,
  'dall-e-2': gone('2026-05-12'),
  'dall-e-3': gone('2026-05-12'),
  'gpt-3.5-turbo': gone('2026-10-23'),
  'gpt-3.5-turbo-0125': gone('2026-10-23'),
  'gpt-3.5-turbo-0301': gone('2024-09-13'),
  'gpt-3.5-turbo-0613': gone('2024-09-13'),
  'gpt-3.5-turbo-1106': gone('2026-09-28'),
  'gpt-3.5-turbo-16k': gone('2024-09-13'),
  'gpt-3.5-turbo-16k-0613': gone('2024-09-13'),
  'gpt-4': gone('2026-10-23'),
  'gpt-4-0125-preview': gone('2026-03-26'),
  'gpt-4-0314': gone('2026-03-26'),
  'gpt-4-0613': gone('2026-10-23'),
  'gpt-4-1106-preview': gone('2026-10-23'),
  'gpt-4-32k': gone('2025-06-06'),
  'gpt-4-32k-0314': gone('2025-06-06'),
  'gpt-4-32k-0613': gone('2025-06-06'),
  'gpt-4-turbo': gone('2026-10-23'),
  'gpt-4-turbo-preview': gone('2026-03-26'),
  'gpt-4-vision-preview': gone('2024-12-06'),
  'gpt-4.1-nano': gone('2026-10-23'),
  'gpt-4o-audio-preview': gone('2026-05-07'),
  'gpt-4o-mini-audio-preview': gone('2026-05-07'),
  'gpt-4o-mini-search-preview': gone('2026-07-23'),
  'gpt-4o-search-preview': gone('2026-07-23'),
  'gpt-5-chat-latest': gone('2026-07-23'),
  'gpt-5-codex': UNSTATED,
  'gpt-5.1-chat-latest': gone('2026-07-23'),
  'gpt-5.1-codex': gone('2026-07-23'),
  'gpt-5.1-codex-max': UNSTATED,
  'gpt-5.1-mini': 'the SDK says: not a supported model',
  'gpt-5.2-chat-latest': gone('2026-08-10'),
  'gpt-5.3-chat-latest': gone('2026-08-10'),
  'gpt-audio-mini': UNSTATED,
  'gpt-image-1': gone('2026-10-23'),
  o1: gone('2026-10-23'),
  'o1-mini': gone('2025-10-27'),
  'o1-preview': gone('2025-07-28'),
  'o1-pro': UNSTATED,
  'o3-deep-research': UNSTATED,
  'o3-mini': gone('2026-10-23'),
  'o4-mini': gone('2026-10-23'),
  'o4-mini-deep-research': UNSTATED,
  'sora-2': gone('2026-09-24'),
  'sora-2-pro': gone('2026-09-24'),
}

/** The same for the SDK of Anthropic. */
export const anthropicModels = {}

/** The same for the SDK of Google. */
export const googleModels = {
  'gemini-3.1-flash-tts-preview': SOUND,
  'gemini-3.8-flash-lite-tts': SOUND,
  'gemini-3.8-flash-tts': SOUND,
  'gemini-omni-1.1-flash': UNSTATED,
  'gemini-omni-flash-preview': UNSTATED,
  'gemini-robotics-er-1.6-preview': SOUND,
  'lyria-3-clip-preview': SOUND,
  'lyria-3-pro-preview': SOUND,
  'lyria-3.5': SOUND,
  'nano-banana-pro-preview': UNSTATED,
}
