import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Protocol, translate } from '@dragoman/core'
import type { ConverterPair } from './cases.ts'

/** The converters of a checkout. */
export interface Converters {
  readonly translate: typeof translate
  readonly protocols: readonly Protocol[]
}

/** Loads the converters of another checkout beside our own. They share no code with them, only the process. */
export async function loadConverters(checkout: string): Promise<Converters> {
  const { resolve } = createRequire(join(checkout, 'bench/src/main.ts'))
  const load = async (name: string): Promise<unknown> => import(pathToFileURL(resolve(name)).href)
  const { translate } = (await load('@dragoman/core')) as Pick<Converters, 'translate'> // the same package, of another commit
  const { protocols } = (await load('@dragoman/core/protocols')) as Pick<Converters, 'protocols'> // likewise
  return { translate, protocols }
}

/** The same pair of protocols in other converters; undefined if they do not have both. */
export function pairOf(
  converters: Converters | undefined,
  client: Protocol,
  upstream: Protocol,
): ConverterPair | undefined {
  const find = (name: string): Protocol | undefined => converters?.protocols.find((each) => each.name === name)
  const [first, second] = [find(client.name), find(upstream.name)]
  if (converters === undefined || first === undefined || second === undefined) return undefined
  return { translate: converters.translate, client: first, upstream: second }
}
