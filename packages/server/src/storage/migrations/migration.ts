/** Converts the data of one schema version to the next. */
export type Migration = (data: unknown) => unknown

/** The data of a document, which this program wrote: a list of items for each collection. */
export type DocumentData = Readonly<Record<string, readonly DocumentItem[]>>

/** An item of any earlier version. */
export type DocumentItem = Readonly<Record<string, unknown>>
