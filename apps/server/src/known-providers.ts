import type { Environment, ProviderDefinition } from '@dragoman/core'

/** Some providers that come in one package. */
interface Shelf {
  /** By name: what stands before `_API_KEY` and `_BASE_URL` in their variables. */
  readonly variables: { readonly [provider: string]: readonly string[] }
  readonly load: () => Promise<readonly ProviderDefinition[]>
}

/** Every provider that this server knows. Packages are loaded when one of theirs is wanted: cards and quirks are not small. */
const SHELVES: readonly Shelf[] = [
  {
    variables: { openai: ['OPENAI'] },
    load: async () => [(await import('@dragoman/provider-openai')).openai],
  },
  {
    variables: { anthropic: ['ANTHROPIC'] },
    load: async () => [(await import('@dragoman/provider-anthropic')).anthropic],
  },
  {
    variables: { google: ['GEMINI', 'GOOGLE'] },
    load: async () => [(await import('@dragoman/provider-google')).google],
  },
  {
    variables: {
      deepseek: ['DEEPSEEK'],
      groq: ['GROQ'],
      mistralai: ['MISTRAL'],
      'x-ai': ['XAI'],
      moonshotai: ['MOONSHOT'],
      'z-ai': ['ZAI', 'ZHIPU'],
      together: ['TOGETHER'],
      fireworks: ['FIREWORKS'],
      openrouter: ['OPENROUTER'],
      cerebras: ['CEREBRAS'],
      perplexity: ['PERPLEXITY'],
      ollama: ['OLLAMA'],
      vllm: ['VLLM'],
      lmstudio: ['LMSTUDIO'],
    },
    load: async () => (await import('@dragoman/provider-openai-compatible')).vendors,
  },
]

export const knownProviders: readonly string[] = SHELVES.flatMap(({ variables }) => Object.keys(variables))

/** The known providers that the environment holds a key or an address for. */
export function mentionedProviders(environment: Environment): readonly string[] {
  return SHELVES.flatMap(({ variables }) =>
    Object.entries(variables)
      .filter(([, prefixes]) => prefixes.some((prefix) => isMentioned(environment, prefix)))
      .map(([name]) => name),
  )
}

function isMentioned(environment: Environment, prefix: string): boolean {
  return ['API_KEY', 'BASE_URL'].some((suffix) => (environment[`${prefix}_${suffix}`] ?? '') !== '')
}

/** The definition of a known provider; undefined for any other name. */
export async function loadDefinition(name: string): Promise<ProviderDefinition | undefined> {
  const shelf = SHELVES.find(({ variables }) => Object.hasOwn(variables, name))
  return (await shelf?.load())?.find((definition) => definition.name === name)
}
