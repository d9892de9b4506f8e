import * as z from 'zod'
import { configSchema } from './schema.ts'

/** For editors: what may stand in the file, as JSON Schema. */
export function configJsonSchema(): object {
  const { $schema, ...schema } = z.toJSONSchema(configSchema, { io: 'input' })
  return { $schema, title: 'The configuration of a dragoman server', ...schema }
}
