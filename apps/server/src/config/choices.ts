import { VARIABLES } from '../variables.ts'

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

export const UNSUPPORTED_FIELDS = ['refuse', 'accept'] as const
export type UnsupportedFields = (typeof UNSUPPORTED_FIELDS)[number]
export const MODEL_LISTS = ['public', 'private'] as const

/** The name of the setting, for error messages. */
/** Where an operator states prices, for the text of a refusal. */
export const PRICES_AT =
  'the configuration file: `prices` or `ceiling` of the model, under `models` or `overrides` of its provider'
export const UNSUPPORTED_FIELDS_AT = `defaults.unsupportedFields in the configuration file, or ${VARIABLES.unsupportedFields}`

/** The purposes of keys, as in the admin API. */
export const KEY_SCOPES = ['inference', 'admin'] as const

export const STORES = ['sqlite', 'postgres', 'memory'] as const
export type StoreKind = (typeof STORES)[number]
export const ON_STORE_LOSS = ['refuse', 'serve'] as const
