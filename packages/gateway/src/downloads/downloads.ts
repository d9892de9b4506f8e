/** Downloads what a caller or an upstream points to. It never sends a credential, a cookie or a referrer. */
export interface Downloads {
  /** Rejects with a DragomanError: a 400 about the member that `param` names, or without it an error of the upstream. */
  fetch(url: string, options?: DownloadOptions): Promise<Downloaded>
}

/** Downloads that can also look for a newer version of a file. */
export interface RefreshingDownloads extends Downloads {
  /** Downloads a file, unless its server says that it is still the one with this tag: then the answer is undefined. */
  refresh(url: string, options: RefreshOptions): Promise<Refreshed | undefined>
}

export interface RefreshOptions extends DownloadOptions {
  /** The entity tag of the known version; absent if there is none. */
  readonly tag?: string | undefined
}

export interface Refreshed extends Downloaded {
  /** The entity tag, if the server has given one. */
  readonly tag?: string | undefined
}

export interface DownloadOptions {
  /** The largest file, in bytes; by default, and at most, the limit for files of requests or of upstreams. */
  readonly limit?: number | undefined
  readonly signal?: AbortSignal | undefined
  /** The media types that are wanted, such as `image/*` or `application/pdf`; by default all. */
  readonly accept?: readonly string[] | undefined
  /** The member of the request with the URL. Absent if an upstream named the URL. */
  readonly param?: string | undefined
}

export interface Downloaded {
  readonly bytes: Uint8Array
  /** The media type without parameters, in lower case; undefined if it is unknown. */
  readonly type: string | undefined
}
