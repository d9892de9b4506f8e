import { createLosses, type EncodeContext, type Protocol } from '@dragoman/core'
import { digest } from './digest.ts'

/** Ids come from the text of the request: the same request gets the same response, with the same ids. */
export function createContext(protocol: Protocol, text: string, now: number): EncodeContext {
  const base = digest(text)
  let count = 0
  return {
    issuer: protocol.issuer,
    losses: createLosses(),
    toward: 'client',
    id: () => digest(`${count++} ${base}`),
    now,
  }
}
