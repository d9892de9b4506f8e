import type { EnvironmentNames } from '@dragoman/core/provider'

/** The variable that names upstreams which are not known here, with commas between. */
export const COMPATIBLE = 'DRAGOMAN_COMPATIBLE'

/** The variables that enable each provider, by its name. The only place that names them: apps read it without loading cards and quirks. */
export const variablesOf = {
  deepseek: { keys: 'DEEPSEEK_API_KEY', baseURL: 'DEEPSEEK_BASE_URL' },
  groq: { keys: 'GROQ_API_KEY', baseURL: 'GROQ_BASE_URL' },
  mistralai: { keys: 'MISTRAL_API_KEY', baseURL: 'MISTRAL_BASE_URL' },
  'x-ai': { keys: 'XAI_API_KEY', baseURL: 'XAI_BASE_URL' },
  moonshotai: { keys: 'MOONSHOT_API_KEY', baseURL: 'MOONSHOT_BASE_URL' },
  'z-ai': { keys: ['ZAI_API_KEY', 'ZHIPU_API_KEY'], baseURL: 'ZAI_BASE_URL' },
  together: { keys: 'TOGETHER_API_KEY', baseURL: 'TOGETHER_BASE_URL' },
  fireworks: { keys: 'FIREWORKS_API_KEY', baseURL: 'FIREWORKS_BASE_URL' },
  openrouter: { keys: 'OPENROUTER_API_KEY', baseURL: 'OPENROUTER_BASE_URL' },
  cerebras: { keys: 'CEREBRAS_API_KEY', baseURL: 'CEREBRAS_BASE_URL' },
  perplexity: { keys: 'PERPLEXITY_API_KEY', baseURL: 'PERPLEXITY_BASE_URL' },
  ollama: { keys: 'OLLAMA_API_KEY', baseURL: 'OLLAMA_BASE_URL' },
  vllm: { keys: 'VLLM_API_KEY', baseURL: 'VLLM_BASE_URL' },
  lmstudio: { keys: 'LMSTUDIO_API_KEY', baseURL: 'LMSTUDIO_BASE_URL' },
} as const satisfies { readonly [provider: string]: EnvironmentNames }
