import { DragomanError } from '@dragoman/core'

/** Why a download failed. */
export type Fault = keyof typeof TEXT_OF

/** Creates the error of a failed download. The cause is for operators. */
export type Failing = (fault: Fault, cause?: unknown) => DragomanError

/** Errors about a member of the request, or about the upstream if it named the URL. */
export function failingFor(param: string | undefined): Failing {
  return (fault, cause) => {
    const text = TEXT_OF[fault]
    if (param !== undefined) return new DragomanError('invalid-request', `${param}: ${text}.`, { param, cause })
    const kind = fault === 'timeout' ? 'timeout' : 'upstream'
    return new DragomanError(kind, `A file of the upstream could not be downloaded: ${text}.`, { cause })
  }
}

/** A name without an address and a name with an internal one have the same text: it must not show which internal names exist. */
const TEXT_OF = {
  url: 'this is not a valid URL',
  scheme: 'the URL must begin with https',
  credentials: 'the URL must not contain a user name or a password',
  port: 'the port of the URL is not one of web servers',
  address: 'the host of the URL has no public address',
  redirects: 'the URL is redirected too often',
  redirect: 'the URL is redirected to an address that is not valid',
  downgrade: 'the URL is redirected from https to http',
  unreachable: 'the host of the URL could not be reached',
  status: 'the host of the URL did not answer with a file',
  empty: 'the file at the URL is empty',
  size: 'the file at the URL is too large',
  type: 'the file at the URL is of another media type than it must be',
  timeout: 'the download took too long',
} as const
