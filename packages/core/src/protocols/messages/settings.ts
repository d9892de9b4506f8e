import type { Request } from '../../ir/request.ts'
import { decodedSchema, standardSchema } from '../../ir/schema.ts'
import type { OutputWish, Settings } from '../../ir/settings.ts'
import type { Draft } from '../../lib/draft.ts'
import type { JsonObject } from '../../lib/json.ts'
import type { EncodeContext } from '../protocol.ts'
import type { EncodedThinking } from './reasoning.ts'
import type { MessagesRequest } from './schema.ts'

/** The sampling members of a request. */
export function decodeSettings(wire: MessagesRequest): Settings {
  const settings: Draft<Settings> = { maxTokens: wire.max_tokens }
  if (wire.temperature !== undefined) settings.temperature = wire.temperature
  if (wire.top_p !== undefined) settings.topP = wire.top_p
  if (wire.top_k !== undefined) settings.topK = wire.top_k
  if (wire.stop_sequences !== undefined) settings.stop = wire.stop_sequences
  return settings
}

export function decodeFormat(format: { readonly type: string; readonly schema?: unknown }): {
  wish: OutputWish
  rest: object
} {
  const { type, schema, ...rest } = format
  return { wish: { format: 'json', ...decodedSchema(schema) }, rest }
}

export function encodeMaxTokens({ maxTokens }: Settings, { losses, limits }: EncodeContext): number {
  if (maxTokens === undefined) {
    const standard = limits?.maxTokens ?? 8192
    losses.added(['settings', 'maxTokens'], standard, 'messages needs a limit')
    return standard
  }
  const most = limits?.maxTokens ?? maxTokens
  if (maxTokens > most) losses.changed(['settings', 'maxTokens'], most, 'above the limit of the model')
  return Math.min(maxTokens, most)
}

/** Thinking leaves no room for a temperature or top_k, and little for top_p. */
export function encodeSampling(
  settings: Settings,
  thought: EncodedThinking,
  { losses }: EncodeContext,
): Partial<MessagesRequest> {
  const thinks = thought.thinking !== undefined && thought.thinking.type !== 'disabled'
  const { temperature, topP, topK, stop } = settings
  if (thinks && temperature !== undefined && temperature !== 1)
    losses.dropped(['settings', 'temperature'], 'not allowed with thinking')
  else if (temperature !== undefined && temperature > 1)
    losses.changed(['settings', 'temperature'], 1, 'messages ends at 1')
  if (thinks && topK !== undefined) losses.dropped(['settings', 'topK'], 'not allowed with thinking')
  if (thinks && topP !== undefined && topP < 0.95)
    losses.changed(['settings', 'topP'], 0.95, 'thinking needs top_p of at least 0.95')
  const stops = stop?.filter((sequence, index) => {
    if (sequence.trim() !== '') return true
    losses.dropped(['settings', 'stop', index], 'messages refuses blank stop sequences')
    return false
  })
  return {
    ...(temperature === undefined || (thinks && temperature !== 1) ? {} : { temperature: Math.min(temperature, 1) }),
    ...(topP === undefined ? {} : { top_p: thinks ? Math.max(topP, 0.95) : topP }),
    ...(topK === undefined || thinks ? {} : { top_k: topK }),
    ...(stops === undefined || (stops.length === 0 && stop?.length !== 0) ? {} : { stop_sequences: stops }),
  }
}

export function encodeOutputConfig(
  request: Request,
  thought: EncodedThinking,
  context: EncodeContext,
): MessagesRequest['output_config'] {
  const { losses } = context
  const { format, schema, ...others } = request.output ?? {}
  for (const member of Object.keys(others)) losses.dropped(['output', member], `messages has no ${member} of its own`)
  const structured = format === 'json' && schema !== undefined
  if (format !== undefined && !structured) losses.dropped(['output', 'format'], `messages has no ${format} format`)
  if (schema !== undefined && !structured) losses.dropped(['output', 'schema'], 'messages has schemas for JSON alone')
  const config = {
    ...(structured
      ? { format: { type: 'json_schema', schema: standardSchema(schema, ['output', 'schema'], losses) } }
      : {}),
    ...(thought.effort === undefined ? {} : { effort: thought.effort }),
  }
  return Object.keys(config).length === 0 ? undefined : config
}

/** Messages upstreams know one member. */
export function encodeMetadata(request: Request, { losses }: EncodeContext): JsonObject | undefined {
  if (request.metadata === undefined) return undefined
  const { user_id, ...others } = request.metadata
  for (const key of Object.keys(others)) losses.dropped(['metadata', key], 'messages metadata has a user_id alone')
  return user_id === undefined && Object.keys(others).length > 0 ? undefined : user_id === undefined ? {} : { user_id }
}
