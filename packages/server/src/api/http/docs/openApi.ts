/** The parts of an OpenAPI 3.1 document that the reference shows. */
export interface OpenApiDocument {
  readonly info: { readonly title: string; readonly version: string }
  readonly servers: readonly { readonly url: string }[]
  readonly tags: readonly { readonly name: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>
  readonly components: Components
}

interface Components {
  readonly schemas: Readonly<Record<string, JsonSchema>>
  readonly parameters: Readonly<Record<string, Parameter>>
  readonly responses: Readonly<Record<string, ResponseNode>>
  readonly securitySchemes: Readonly<Record<string, SecurityScheme>>
}

export interface OpenApiOperation {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly deprecated?: boolean
  readonly tags: readonly string[]
  readonly parameters: readonly (Parameter | Ref)[]
  readonly security: readonly Readonly<Record<string, unknown>>[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, ResponseNode | Ref>>
}

/** A reference to the component that its last segment names. */
interface Ref {
  readonly $ref: string
}

interface SecurityScheme {
  /** Absent for OAuth 2.0, whose access tokens are sent in `Authorization`. */
  readonly in?: string
  readonly name?: string
  readonly description?: string
}

export interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly schema: JsonSchema
}

export interface ResponseNode {
  readonly description: string
  readonly content?: Content
}

/** Media type → schema. */
type Content = Readonly<Record<string, { readonly schema: JsonSchema }>>

/** The keywords of JSON Schema that the contract uses. */
export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | JsonSchema
  readonly items?: JsonSchema
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly allOf?: readonly JsonSchema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly examples?: readonly unknown[]
  readonly format?: string
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
}

/** Returns the last segment of a `$ref`. */
export function refName($ref: string): string {
  return $ref.slice($ref.lastIndexOf('/') + 1)
}

/** Returns the component that a `$ref` names, or the node itself. */
export function resolveRef<T extends object>(node: T | Ref, components: Readonly<Record<string, T>>): T {
  if (!('$ref' in node) || typeof node.$ref !== 'string') return node as T // Not a reference.
  const component = components[refName(node.$ref)]
  if (!component) throw new Error(`the OpenAPI document has no component ${node.$ref}`)
  return component
}

/** Returns the media type and the schema of a body. Bodies in the contract have one media type. */
export function bodyOf(content: Content | undefined): { type: string; schema: JsonSchema } | undefined {
  const [entry] = Object.entries(content ?? {})
  return entry ? { type: entry[0], schema: entry[1].schema } : undefined
}
