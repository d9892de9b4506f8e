import { decodeBase64, encodeBase64 } from '../lib/base64.ts'
import { parseJson, isObject } from '../lib/json.ts'

/**
 * Opaque state that only its issuer can read: a signature, encrypted reasoning. `issuer` is a seal domain from the model card, not a
 * provider or protocol name, and contains no dot.
 */
export interface Seal {
  readonly issuer: string
  readonly value: string
}

/**
 * The part that a carried seal belongs to, relative to its carrier: the carrier itself, the next part, the previous part, or hidden
 * reasoning of its own, which is behind the next part.
 */
export type Target = 'self' | 'next' | 'previous' | 'behind'

/** The content of a field: a seal, if any, and the part that it belongs to. */
export interface Opened {
  readonly seal?: Seal
  readonly target: Target
}

const MARK = 'dg1.'
const ID_MARK = 'dg1_'
/** The issuer for unsigned reasoning, because clients keep only signed thinking. */
const UNSIGNED = 'none'
/** The longest id that carries a seal: ids of this size passed five real clients. */
const ID_LIMIT = 8192
/** Placeholders that clients send for a signature they have lost. They are not seals. */
const PLACEHOLDERS = new Set(['skip_thought_signature_validator', 'context_engineering_is_the_way_to_go'])

/** A seal inside a string field of another protocol. Without a seal, a mark that means "unsigned on purpose". */
export function wrap(seal: Seal | undefined, target: Target): string {
  return seal === undefined ? `${MARK}${UNSIGNED}.${target}.` : `${MARK}${seal.issuer}.${target}.${seal.value}`
}

/** Reads a string field: a wrapped seal, or a plain value of the field's own domain. */
export function unwrap(text: string, nativeIssuer: string): Opened {
  if (text === '' || PLACEHOLDERS.has(text)) return { target: 'self' }
  if (!text.startsWith(MARK)) return { seal: { issuer: nativeIssuer, value: text }, target: 'self' }
  const issuerEnd = endOf(text, MARK.length)
  const targetEnd = endOf(text, issuerEnd + 1)
  const target = targetOf(text.slice(issuerEnd + 1, targetEnd))
  const value = text.slice(targetEnd + 1)
  return value === '' ? { target } : { target, seal: { issuer: text.slice(MARK.length, issuerEnd), value } }
}

/** The end of a member of a wrapped seal. */
function endOf(text: string, start: number): number {
  const dot = text.indexOf('.', start)
  return dot < 0 ? text.length : dot
}

/** Plain for its own domain, wrapped for any other. */
export function carry(seal: Seal | undefined, nativeIssuer: string): string {
  return seal !== undefined && seal.issuer === nativeIssuer ? seal.value : wrap(seal, 'self')
}

/** For byte fields: SDKs decode them and may send them back in the other base64 alphabet. */
export function wrapBytes(seal: Seal, target: Target): string {
  return encodeBase64(wrap(seal, target))
}

/** Reads a byte field: a wrapped seal, or a plain value of the field's own domain. A bundle stays closed. */
export function unwrapBytes(base64: string, nativeIssuer: string): Opened {
  if (base64 === '' || PLACEHOLDERS.has(base64)) return { target: 'self' }
  const text = base64.startsWith('ZGcxL') && !isBundle(base64) ? decodeBase64(base64) : undefined // base64 of "dg1."
  if (text?.startsWith(MARK)) return unwrap(text, nativeIssuer)
  return { seal: { issuer: nativeIssuer, value: base64 }, target: 'self' }
}

/** Every client sends back the id of a tool call, so it can contain the upstream's id and the seal of that call. */
export function sealId(id: string, seal: Seal | undefined): string {
  if (seal === undefined) return id
  const sealed = ID_MARK + base64Url(JSON.stringify([id, seal.issuer, seal.value]))
  return sealed.length > ID_LIMIT ? id : sealed
}

/** A call id of letters, digits, dashes and underscores: some upstreams refuse any other. `openId` restores it. */
export function plainId(id: string): string {
  return isPlainId(id) ? id : ID_MARK + base64Url(JSON.stringify([id]))
}

/** Whether a call id needs no change for any upstream. */
export function isPlainId(id: string): boolean {
  return /^[a-zA-Z0-9_-]+$/.test(id)
}

/** Splits a call id; an id without a seal is returned unchanged. */
export function openId(id: string): { readonly id: string; readonly seal?: Seal } {
  if (!id.startsWith(ID_MARK) || id.length > ID_LIMIT) return { id }
  const text = decodeBase64(id.slice(ID_MARK.length))
  const found = text === undefined ? undefined : parseJson(text)
  const [inner, issuer, value, ...more] = Array.isArray(found) ? (found as readonly unknown[]) : [] // created by a client
  if (more.length > 0 || typeof inner !== 'string') return { id }
  if (issuer === undefined && value === undefined) return { id: isPlainId(inner) ? id : inner } // by `plainId`
  if (typeof issuer !== 'string' || typeof value !== 'string') return { id }
  return { id: inner, seal: { issuer, value } }
}

function targetOf(text: string): Target {
  return text === 'next' || text === 'previous' || text === 'behind' ? text : 'self'
}

function base64Url(text: string): string {
  return encodeBase64(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

/** True for a string with a seal of another domain. */
export function isSealed(value: unknown): boolean {
  return typeof value === 'string' && (value.startsWith(MARK) || value.startsWith(ID_MARK))
}

/** True for the value of a byte field that holds a bundle of seals. */
export function isBundle(base64: string): boolean {
  return base64.startsWith('ZGcxLiou') // base64 of "dg1.*."
}

/** The seals of several parts in one byte field, for clients that keep only the signature of a call. */
interface Bundle {
  /** The parts since the previous carrier, in order. */
  readonly before: readonly BundleEntry[]
  /** The seal of the carrier itself. */
  readonly own?: Seal
}

/** Reasoning, or a number of other parts. */
export type BundleEntry = number | BundledReasoning

/** Reasoning before a carrier: the length of its text, and the seal that the carrier has for it. */
export interface BundledReasoning {
  readonly length: number
  readonly hidden?: true
  readonly seal?: Seal
  /** It has a signature of its own. */
  readonly signed?: true
}

const BUNDLE_MARK = 'dg1.*.'

/** The bundle as the value of a byte field. */
export function wrapBundle(bundle: Bundle): string {
  return encodeBase64(BUNDLE_MARK + JSON.stringify(bundle))
}

/** Reads what `wrapBundle` has written. What a client has damaged is empty. */
export function unwrapBundle(base64: string): Bundle {
  const text = decodeBase64(base64)
  const found = text === undefined ? undefined : parseJson(text.slice(BUNDLE_MARK.length))
  if (!isObject(found) || !Array.isArray(found['before']) || !found['before'].every(isEntry)) return { before: [] }
  const { before, own } = found
  return isSeal(own) ? { before, own } : { before }
}

function isEntry(value: unknown): value is BundleEntry {
  if (!isObject(value)) return isCount(value)
  const { length, hidden, signed, seal } = value
  return isCount(length) && isFlag(hidden) && isFlag(signed) && (seal === undefined || isSeal(seal))
}

function isFlag(value: unknown): value is true | undefined {
  return value === undefined || value === true
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

function isSeal(value: unknown): value is Seal {
  return isObject(value) && typeof value['issuer'] === 'string' && typeof value['value'] === 'string'
}
