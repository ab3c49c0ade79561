import styles from './Markdown.module.css'
import { type Block, type Inline, parseMarkdown } from './parseMarkdown.ts'

/** A text in a subset of Markdown, built as elements. */
export function Markdown({ text }: { readonly text: string }) {
  return (
    <div className={styles.markdown}>
      {parseMarkdown(text).map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks have no identity, and the text is replaced as a whole.
        <BlockElement key={index} block={block} />
      ))}
    </div>
  )
}

function BlockElement({ block }: { readonly block: Block }) {
  switch (block.type) {
    case 'code':
      return <pre className={styles.code}>{block.text}</pre>
    case 'list': {
      const List = block.isOrdered ? 'ol' : 'ul'
      return (
        <List className={block.isOrdered ? styles.ordered : styles.list}>
          {block.items.map((item, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: items have no identity, and the text is replaced as a whole.
            <li key={index}>
              <Line content={item} />
            </li>
          ))}
        </List>
      )
    }
    default:
      return (
        <p className={block.type === 'heading' ? styles.heading : undefined}>
          <Line content={block.content} />
        </p>
      )
  }
}

function Line({ content }: { readonly content: readonly Inline[] }) {
  return content.map((piece, index) => {
    const key = `${index} ${piece.type}`
    if (piece.type === 'code') return <code key={key}>{piece.text}</code>
    if (piece.type !== 'link') return <span key={key}>{piece.text}</span>
    return (
      <a key={key} href={piece.url} rel="noreferrer" target="_blank">
        {piece.text}
      </a>
    )
  })
}
