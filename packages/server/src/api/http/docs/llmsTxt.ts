import type { Reference } from './reference.ts'

/**
 * Renders the table of contents of the documentation in the format of https://llmstxt.org. Sections, titles and
 * descriptions come from the tables of `docs/README.md`.
 */
export function renderLlmsTxt(reference: Reference, pages: ReadonlyMap<string, string>): string {
  const { serverUrl, headings } = reference
  const sections = (pages.get('README.md') ?? '')
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [name = ''] = section.split('\n', 1)
      const rows = [...section.matchAll(/^\| \[([^\]]+)\]\(([^)]+)\) \| (.+) \|$/gm)]
      const links = rows
        .filter(([, , path = '']) => pages.has(path))
        .map(([, title, path, description]) => {
          return `- [${title}](${serverUrl}/docs/${path}): ${description}`
        })
      return { name, links }
    })
  const api = [
    `- [OpenAPI document](${serverUrl}/openapi.json): all operations and schemas`,
    ...headings.map(({ name, slug, operations }) => {
      return `- [${name}](${serverUrl}/docs/${slug}): ${operations.map(({ summary }) => summary).join('; ')}`
    })
  ]
  return [
    '# Burgee',
    '> Burgee is a self-hosted feature-flag platform: it evaluates flags over HTTP, OFREP and OpenFeature, and manages them with a REST API and tools for assistants.',
    `Requests go to ${serverUrl}. Applications authenticate with an SDK key, management clients with an access token.`,
    ...[...sections, { name: 'API reference', links: api }]
      .filter(({ links }) => links.length > 0)
      .map(({ name, links }) => `## ${name}\n\n${links.join('\n')}`)
  ]
    .join('\n\n')
    .concat('\n')
}
