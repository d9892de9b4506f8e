import { didYouMean } from '@dragoman/core/provider'
import type * as z from 'zod/mini'
import en from 'zod/v4/locales/en.js'
import { AdminError } from './admin-error.ts'

/** The small variant of zod has no messages of its own. */
const ENGLISH = { error: en().localeError }

/** Checks the body of an admin call. The error names the member that is wrong, or unknown. */
export function readBody<Shape extends z.core.$ZodLooseShape>(
  schema: z.ZodMiniObject<Shape, z.core.$strict>,
  body: unknown,
): z.output<typeof schema> {
  const { success, data, error } = schema.safeParse(body, ENGLISH)
  if (success) return data
  const [issue] = error.issues
  const path = issue?.path.join('.') ?? ''
  if (issue?.code === 'unrecognized_keys') {
    const [name = ''] = issue.keys
    const field = path === '' ? name : `${path}.${name}`
    const hint = didYouMean(name, path === '' ? Object.keys(schema.shape) : [])
    throw new AdminError(400, 'unknown_member', `The member "${field.slice(0, 100)}" is unknown${hint}.`, field)
  }
  if (path === '') throw new AdminError(400, 'wrong_json', 'The body must be a JSON object.')
  throw new AdminError(400, 'wrong_member', `The member "${path}" is wrong: ${issue?.message}.`, path)
}
