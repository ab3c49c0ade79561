/** The definition of an attribute, in the form of the `/Schemas` endpoint (RFC 7643 §7). */
export interface Attribute {
  readonly name: string
  readonly type: 'string' | 'boolean' | 'complex' | 'dateTime' | 'reference'
  readonly multiValued: boolean
  readonly description: string
  readonly required: boolean
  readonly caseExact: boolean
  readonly mutability: 'readOnly' | 'readWrite' | 'immutable'
  readonly returned: 'always' | 'default'
  readonly uniqueness: 'none' | 'server'
  readonly canonicalValues?: readonly string[]
  readonly referenceTypes?: readonly string[]
  readonly subAttributes?: readonly Attribute[]
}

/** A JSON object of the protocol: a resource, or a value of a complex attribute. */
export type ScimObject = Readonly<Record<string, unknown>>

/** Defines an attribute: an optional string that clients can write, unless `more` overrides it. */
export function attribute(name: string, description: string, more: Partial<Attribute> = {}): Attribute {
  return {
    name,
    type: 'string',
    multiValued: false,
    description,
    required: false,
    caseExact: false,
    mutability: 'readWrite',
    returned: 'default',
    uniqueness: 'none',
    ...more
  }
}

/** Finds an attribute by its name, which is case-insensitive (RFC 7643 §2.1). */
export function findAttribute(attributes: readonly Attribute[], name: string): Attribute | undefined {
  return attributes.find((one) => one.name.toLowerCase() === name.toLowerCase())
}
