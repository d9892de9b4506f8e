import type { CallRecord, OpenCall } from '@dragoman/accounts/store'

/** Collects the texts of a batch that are stored once, in `names`. */
export interface NameList {
  readonly texts: readonly string[]
  /** The position of a text in the list, from 1 as in SQL. */
  add(text: string): number
}

export function createNameList(): NameList {
  const positions = new Map<string, number>()
  const texts: string[] = []
  return {
    texts,
    add(text) {
      const known = positions.get(text)
      if (known !== undefined) return known
      positions.set(text, texts.push(text))
      return texts.length
    },
  }
}

type Whose = Pick<CallRecord, 'key' | 'owner'>
type OnRoute = Pick<CallRecord, 'operation' | 'protocol' | 'provider' | 'model' | 'mode' | 'stream' | 'prices'>

/** One name for who has called. */
export function nameWho({ key, owner }: Whose): string {
  return JSON.stringify([key, owner])
}

export function readWho(name: string): Whose {
  const [key, owner] = JSON.parse(name) as [string, string] // written by nameWho
  return { key, owner }
}

/** One name for everything that calls of a route have in common. */
export function nameRoute(call: Omit<OpenCall, 'estimate'> & { readonly prices?: string }): string {
  const { operation, protocol, provider, model, mode, stream, prices = '' } = call
  return JSON.stringify([provider, model, operation, protocol, mode, stream, prices])
}

export function readRoute(name: string): OnRoute {
  // Written by nameRoute.
  const [provider, model, operation, protocol, mode, stream, prices] = JSON.parse(name) as [
    string,
    string,
    string,
    string,
    OnRoute['mode'],
    boolean,
    string,
  ]
  return { provider, model, operation, protocol, mode, stream, prices }
}
