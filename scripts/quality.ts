/**
 * The quality ranks of the models that answer in text, for routing by quality. They are written by hand, by a rule of thumb:
 *
 * - 95 and more: the flagship of a vendor at the frontier
 * - about 85: strong; the flagship of the generation before, or the best of open models
 * - about 70: the middle of a line; fast models of the newest generation
 * - about 55: small and fast
 * - about 40: tiny, or old
 *
 * Within a line, a newer model is above an older one; within a generation, a larger model is above a smaller one. Differences of a few points
 * between vendors mean nothing: routing treats near ranks as equal. Operators override ranks in their configuration.
 */
export const QUALITY_OF: { readonly [id: string]: number } = {
  'anthropic/claude-fable-5': 98,
  'anthropic/claude-opus-5': 97,
  'anthropic/claude-opus-4.8': 95,
  'anthropic/claude-opus-4.7': 93,
  'anthropic/claude-sonnet-5': 91,
  'anthropic/claude-sonnet-4.6': 86,
  'anthropic/claude-sonnet-4.5': 83,
  'anthropic/claude-haiku-4.5': 70,
  'openai/gpt-5.6-sol': 97,
  'openai/gpt-5.6-terra': 88,
  'openai/gpt-5.6-luna': 68,
  'openai/gpt-5.5': 95,
  'openai/gpt-5.5-pro': 98,
  'openai/gpt-5.3-codex': 90,
  'openai/gpt-5.4': 92,
  'openai/gpt-5.4-mini': 72,
  'openai/gpt-5.4-nano': 56,
  'openai/gpt-5.2': 89,
  'openai/gpt-4.1': 62,
  'google/gemini-3.1-pro-preview': 94,
  'google/gemini-3.6-flash': 82,
  'google/gemini-3.5-flash': 80,
  'google/gemini-3.5-flash-lite': 60,
  'google/gemini-3-flash-preview': 76,
  'google/gemini-2.5-pro': 84,
  'google/gemini-2.5-flash': 66,
  'google/gemini-2.5-flash-lite': 46,
  'google/gemini-3-pro-image': 78,
  'google/gemini-3.1-flash-image': 64,
  'google/gemini-2.5-flash-image': 50,
  'x-ai/grok-4.5': 92,
  'x-ai/grok-4.3': 87,
  'x-ai/grok-code-fast-1': 58,
  'deepseek/deepseek-v4-pro': 86,
  'deepseek/deepseek-v4-flash': 68,
  'mistralai/mistral-large-2512': 76,
  'mistralai/mistral-medium-3.5': 74,
  'mistralai/devstral-2512': 64,
  'moonshotai/kimi-k2.6': 86,
  'moonshotai/kimi-k2.5': 82,
  'z-ai/glm-5.1': 86,
  'z-ai/glm-5': 84,
  'z-ai/glm-4.7': 76,
  'z-ai/glm-4.7-flash': 52,
  'groq/gpt-oss-120b': 66,
  'cerebras/zai-glm-4.7': 76,
  'perplexity/sonar-pro': 72,
}
