/** Runs a statement and returns its rows. */
export type All = <Row extends object>(text: string, values: readonly unknown[]) => Promise<readonly Row[]>

/** Runs a statement and returns its first row. */
export type First = <Row extends object>(text: string, values: readonly unknown[]) => Promise<Row | undefined>
