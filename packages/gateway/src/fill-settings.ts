import { COUNT_LIMITS } from '@dragoman/core'
import { protocols as allProtocols } from '@dragoman/core/protocols'
import type { Deadlines } from '@dragoman/core/provider'
import { createMemoryKeys } from './callers/admit.ts'
import { createPaths } from './ports/match.ts'
import { createItemMemory } from './memory/item-memory.ts'
import type { Operation } from './pipeline/operation.ts'
import { operations } from './operations/table.ts'
import { createTimedIds, randomId, systemClock } from './ports/ports.ts'
import { createReport, guardClock, guardLedger, guardLog } from './ports/report.ts'
import { createModels } from './routing/resolve.ts'
import { createRouting } from './health/routing.ts'
import type { GatewayLimits, GatewayOptions, Settings } from './call/settings.ts'
import { createSealing } from './sealing/sealing.ts'
import { limitConcurrency } from './stages/concurrency.ts'
import { collectHooks } from './stages/hooks.ts'

/** Models can take minutes before the first byte of a whole answer and between two chunks of a stream. */
const DEADLINES: Deadlines = { connect: 10_000, head: 600_000, idle: 300_000, total: 1_800_000 }
const MEGABYTE = 1024 * 1024
const LIMITS: Omit<GatewayLimits, 'counts'> = {
  body: 32 * MEGABYTE,
  part: 25 * MEGABYTE,
  bodies: 512 * MEGABYTE,
  answer: 128 * MEGABYTE,
  concurrency: 10_000,
  perKey: 2000,
  downloads: 64,
}

/** Settings, and the table that the gateway is composed of. */
export interface Composition extends Settings {
  readonly operations: readonly Operation[]
}

export function fillSettings(options: GatewayOptions): Composition {
  const protocols = options.protocols ?? allProtocols
  const report = createReport(options.onWatcherError)
  const clock = guardClock(options.clock ?? systemClock, report)
  const limits: GatewayLimits = {
    ...filled<Omit<GatewayLimits, 'counts'>>(LIMITS, options.limits),
    counts: filled(COUNT_LIMITS, options.limits?.counts),
  }
  return {
    protocols,
    paths: createPaths(protocols),
    operations,
    hooks: collectHooks([limitConcurrency(limits)], options.stages ?? [], report),
    models: createModels(options.providers, protocols, options.aliases),
    transport: options.transport,
    routing: createRouting(clock, options),
    keys: options.keys ?? createMemoryKeys(),
    log: guardLog(options.log, report),
    ledger: guardLedger(options.ledger, report),
    report,
    clock,
    ids: options.ids ?? randomId,
    requestIds: options.ids ?? createTimedIds(),
    deadlines: filled(DEADLINES, options.deadlines),
    limits,
    cors: options.cors,
    unsupportedFields: {
      policy: options.unsupportedFields ?? 'accept',
      setAt: options.unsupportedFieldsAt ?? 'the option unsupportedFields of createGateway',
    },
    modelLists: options.modelLists ?? 'public',
    keepAliveMs: options.keepAliveMs ?? 10_000,
    usageMs: options.usageMs ?? 5000,
    relayedStreams: options.relayedStreams ?? 'exact',
    offload: options.offload,
    sealing: (options.sealingKeys ?? []).length === 0 ? undefined : createSealing(options.sealingKeys ?? []),
    sealingAt: options.sealingAt ?? 'the option sealingKeys of createGateway',
    pricesAt:
      options.pricesAt ?? '`prices` or `ceiling` of the model, in the options `models` or `overrides` of its provider',
    publicUrl: options.publicUrl?.replace(/\/+$/, ''),
    outOfService: options.outOfService,
    downloads: options.downloads,
    itemMemory: options.itemMemory === 'off' ? undefined : (options.itemMemory ?? createItemMemory({ clock })),
  }
}

/** Missing and undefined options get their defaults. */
function filled<T extends object>(byDefault: T, given: Partial<T> = {}): T {
  return { ...byDefault, ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) }
}
