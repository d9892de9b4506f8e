import { DragomanError } from '@dragoman/core'
import { FEATURES } from '@dragoman/core/provider'
import { shortName } from '../models/model-errors.ts'
import { NO_PREFERENCES, type CallPreferences } from './preferences.ts'

/** Refuses preferences that name an unknown provider, an empty list, or contradict themselves. */
export function checkPreferences(
  preferences: CallPreferences,
  fields: { readonly [Name in keyof CallPreferences]-?: string },
  providers: readonly string[],
  isForEmbeddings: boolean,
): void {
  if (preferences === NO_PREFERENCES) return
  const { providers: asked, fallback, models, preference, task, keep } = preferences
  const refuse = (name: keyof CallPreferences, reason: string): never => {
    throw new DragomanError('invalid-request', `${fields[name]} ${reason}.`, { param: fields[name] })
  }
  if (asked?.length === 0) refuse('providers', 'is empty: name at least one provider, or leave it out')
  const unknown = asked?.find((name) => !providers.includes(name))
  if (unknown !== undefined) refuse('providers', `names "${shortName(unknown)}", which is not a provider here`)
  if (typeof fallback === 'string' && !providers.includes(fallback))
    refuse('fallback', `must be true, false or the name of a provider; "${shortName(fallback)}" is not a provider here`)
  if (models?.length === 0) refuse('models', 'is empty: name at least one model, or leave it out')
  if (models !== undefined && preference !== undefined && !models.includes(preference))
    refuse('preference', `names "${shortName(preference)}", which is not among ${fields.models}`)
  const unheard = keep?.find((name) => !FEATURES.some((feature) => feature === name))
  if (unheard !== undefined)
    refuse('keep', `names "${shortName(unheard)}", which is not a feature; it may name ${FEATURES.join(', ')}`)
  if (task === 'embedding' && !isForEmbeddings) refuse('task', 'is embedding: this path answers with text')
  if (task !== undefined && task !== 'embedding' && isForEmbeddings)
    refuse('task', `is ${task}: this path answers with embeddings`)
}
