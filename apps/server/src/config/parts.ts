import * as z from 'zod'
import { unknownMembers } from './near.ts'

/** An object with only these members; for an unknown member, a similar name is suggested. */
export function object<Shape extends z.ZodRawShape>(shape: Shape): z.ZodObject<Shape, z.core.$strict> {
  const known = Object.keys(shape)
  return z.strictObject(shape, {
    error: (issue) => (issue.code === 'unrecognized_keys' ? unknownMembers(issue.keys, known) : undefined),
  })
}

export const text = z.string().min(1)
