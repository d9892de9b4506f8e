import { AGENTS } from './agents.ts'
import type { Client } from './client.ts'
import { LIBRARY_CLIENTS } from './library-clients.ts'

/** Every client of the suite. */
export const CLIENTS: readonly Client[] = [...AGENTS, ...LIBRARY_CLIENTS]
