import { protocols } from '@dragoman/core/protocols'
import type { ProviderDefinition } from '@dragoman/core/provider'
import { anthropic } from '@dragoman/provider-anthropic'
import { google } from '@dragoman/provider-google'
import { openai } from '@dragoman/provider-openai'
import { findInProtocol } from './find-in-protocol.ts'
import { findModels } from './find-models.ts'
import { missing, type Reasons } from './missing/index.ts'
import { readTypes, type Files } from './read-types.ts'

/** What the SDKs and this repository disagree about. */
export interface Differences {
  /** Neither known nor listed, with where it was found. */
  readonly unknown: readonly Difference[]
  /** Listed as missing, and not missing. */
  readonly stale: readonly Difference[]
  /** How many are listed, by subject. */
  readonly listed: ReadonlyMap<string, number>
}

export interface Difference {
  /** A protocol, or the models of a vendor. */
  readonly subject: string
  readonly name: string
  readonly where: readonly string[]
}

const VENDORS: readonly ProviderDefinition[] = [openai, anthropic, google]

/** Compares the installed SDKs with the grammars and the cards. `files` replaces files of the SDKs, for tests. */
export function compareAll(files?: Files): Differences {
  const found = readTypes(
    'src/wires.ts',
    (read) => {
      const wires = read('Wires')
      const tools = read('Tools')
      const models = read('Models')
      return new Map([
        ...protocols.map(
          (protocol) => [protocol.name, findInProtocol(protocol, wires, tools.get(protocol.name))] as const,
        ),
        ...VENDORS.map((vendor) => {
          const named = models.get(vendor.name)
          const ids = named === undefined ? [] : [...findModels(vendor, named)]
          return [`models of ${vendor.name}`, new Map(ids.map((id) => [id, []]))] as const
        }),
      ])
    },
    files,
  )
  const reasons: { readonly [subject: string]: Reasons } = missing
  const differences = [...found].map(([subject, names]) => {
    const listed = reasons[subject] ?? {}
    const unknown = [...names].filter(([name]) => !Object.hasOwn(listed, name))
    const stale = Object.keys(listed).filter((name) => !names.has(name))
    return {
      listed: [subject, Object.keys(listed).length] as const,
      unknown: unknown.map(([name, where]) => ({ subject, name, where })),
      stale: stale.map((name) => ({ subject, name, where: [] })),
    }
  })
  return {
    unknown: differences.flatMap(({ unknown }) => unknown),
    stale: differences.flatMap(({ stale }) => stale),
    listed: new Map(differences.map(({ listed }) => listed)),
  }
}
