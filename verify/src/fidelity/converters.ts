import type { Converter } from './converter.ts'
import { dragoman } from './dragoman.ts'

/** dragoman, and the other converters that could be loaded. */
export async function loadConverters(): Promise<Converter[]> {
  const { lingua } = await import('./peers/lingua.ts')
  const { llmBridge } = await import('./peers/llm-bridge.ts')
  const { llmMessages } = await import('./peers/llm-messages.ts')
  const { llmProtocol } = await import('./peers/llm-protocol.ts')
  const { loadMusistudio } = await import('./peers/musistudio.ts')
  const musistudio = await loadMusistudio()
  return [dragoman, lingua, llmBridge, llmMessages, llmProtocol, ...(musistudio === undefined ? [] : [musistudio])]
}
