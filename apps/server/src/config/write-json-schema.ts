// Updates config.schema.json: node src/config/write-json-schema.ts
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { configJsonSchema } from './json-schema.ts'

writeFileSync(join(import.meta.dirname, '../../config.schema.json'), `${JSON.stringify(configJsonSchema(), null, 2)}\n`)
