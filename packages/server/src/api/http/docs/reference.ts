import type { JsonSchema, OpenApiDocument, OpenApiOperation, Parameter, ResponseNode } from './openApi.ts'
import { bodyOf, resolveRef } from './openApi.ts'

/** The API reference, in display order. */
export interface Reference {
  readonly title: string
  /** Whether the server has a dashboard to link to. */
  readonly hasDashboard: boolean
  readonly serverUrl: string
  readonly headings: readonly Heading[]
  readonly schemas: Readonly<Record<string, JsonSchema>>
  readonly credentials: readonly Credential[]
}

/** The operations with the same OpenAPI tag, which share a page. */
export interface Heading {
  readonly name: string
  /** The last segment of the page's address. */
  readonly slug: string
  readonly operations: readonly OperationEntry[]
}

/** An operation with its references resolved. */
export interface OperationEntry {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly summary: string
  readonly description: string
  readonly isDeprecated: boolean
  readonly parameters: readonly Parameter[]
  readonly body: JsonSchema | undefined
  /** Status → response. */
  readonly responses: readonly (readonly [status: string, response: ResponseNode])[]
  /** The names of the credentials, any one of which suffices. */
  readonly credentials: readonly string[]
}

/** How requests send a credential. */
export interface Credential {
  readonly name: string
  readonly location: string
  readonly member: string
  readonly description: string
}

/** Reads the reference from an OpenAPI document. */
export function readReference(document: OpenApiDocument): Omit<Reference, 'hasDashboard'> {
  const { info, servers, tags, paths, components } = document
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, node]) => ({
      tags: node.tags,
      entry: toEntry(path, method, node, components)
    }))
  )
  return {
    title: `${info.title} ${info.version} API`,
    serverUrl: servers[0]?.url ?? '',
    headings: tags.map(({ name }) => ({
      name,
      slug: toSlug(name),
      operations: operations.filter((operation) => operation.tags.includes(name)).map(({ entry }) => entry)
    })),
    schemas: components.schemas,
    credentials: Object.entries(components.securitySchemes).map(([name, scheme]) => ({
      name,
      location: scheme.in ?? 'header',
      member: scheme.name ?? 'Authorization',
      description: scheme.description ?? ''
    }))
  }
}

function toSlug(name: string): string {
  return (
    name
      .toLowerCase()
      .match(/[a-z0-9]+/g)
      ?.join('-') ?? name
  )
}

function toEntry(
  path: string,
  method: string,
  node: OpenApiOperation,
  components: OpenApiDocument['components']
): OperationEntry {
  return {
    id: node.operationId,
    method: method.toUpperCase(),
    path,
    summary: node.summary,
    description: node.description ?? '',
    isDeprecated: node.deprecated ?? false,
    parameters: node.parameters.map((parameter) => resolveRef(parameter, components.parameters)),
    body: bodyOf(node.requestBody?.content)?.schema,
    responses: Object.entries(node.responses).map(([status, response]) => [
      status,
      resolveRef(response, components.responses)
    ]),
    credentials: node.security.flatMap((scheme) => Object.keys(scheme))
  }
}
