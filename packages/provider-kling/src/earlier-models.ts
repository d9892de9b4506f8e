import type { Card, CardSource } from '@dragoman/core/provider'

const SOURCES: readonly CardSource[] = [{ facts: ['name', 'limits'], from: 'public documentation', date: '2026-08' }]

/** Models before those of the catalogue that the API still has. */
export const earlierModels = [
  {
    name: 'kling-v2-6',
    display: 'Kling: V2.6',
    owner: 'kling',
    input: ['text', 'image'],
    output: ['video', 'audio'],
    sources: SOURCES,
  },
  {
    name: 'kling-v2-1',
    display: 'Kling: V2.1',
    owner: 'kling',
    input: ['text', 'image'],
    output: ['video', 'image'],
    sources: SOURCES,
  },
  {
    name: 'kling-v1-6',
    display: 'Kling: V1.6',
    owner: 'kling',
    input: ['text', 'image'],
    output: ['video'],
    sources: SOURCES,
  },
] as const satisfies readonly Card[]
