import * as z from 'zod'
import { configSchema } from './schema.ts'

/** The JSON schema of the file, for editors. */
export function configJsonSchema(): object {
  const { $schema, ...schema } = z.toJSONSchema(configSchema, { io: 'input' })
  return { $schema, title: 'The configuration of a dragoman server', ...schema }
}
