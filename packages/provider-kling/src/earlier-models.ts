import type { Card } from '@dragoman/core/provider'

/** Models before those of the catalogue that the API still has (2026-08). */
export const earlierModels = [
  { name: 'kling-v2-6', display: 'Kling: V2.6', owner: 'kling', input: ['text', 'image'], output: ['video', 'audio'] },
  { name: 'kling-v2-1', display: 'Kling: V2.1', owner: 'kling', input: ['text', 'image'], output: ['video', 'image'] },
  { name: 'kling-v1-6', display: 'Kling: V1.6', owner: 'kling', input: ['text', 'image'], output: ['video'] },
] as const satisfies readonly Card[]
