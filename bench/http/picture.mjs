import { STYLE } from '../evaluations/picture.mjs'

const LEFT = 90
const WIDTH = 520
const BAR = 11
const ROW = 3 * BAR + 10
/** The width of the longest text. */
const TEXT = 75
/** The bars end at this ratio. */
const MAX = 1.5

/** Draws the throughput of ours, Fastify and Koa on each route, as ratios to bare `node:http`. */
export function drawServers({ date, routes }) {
  const rows = Object.entries(routes)
  const height = rows.length * ROW + 64
  const x = (ratio) => LEFT + (WIDTH * Math.min(MAX, ratio)) / MAX
  const grid = [0, 0.5, 1, 1.5].map((tick) => {
    const at = x(tick).toFixed(1)
    return `<path class="${tick === 1 ? 'goal' : 'grid'}" d="M${at} 34V${height - 24}"/><text class="small" x="${at}" y="28" text-anchor="middle">${tick} ×</text>`
  })
  const bars = rows.map(([name, { rate }], index) => {
    const top = 40 + index * ROW
    const bar = (server, position) => {
      const y = top + 6 + position * BAR
      const end = x(rate[server])
      const text = `${rate[server].toFixed(2)}${server === 'ours' ? '' : `, ${server}`}`
      // Texts do not cross the line of the bare server.
      const left = (end <= x(1) && end > x(1) - TEXT ? x(1) : end) + 6
      return `<path class="${server === 'ours' ? 'ours' : 'peer'}" d="M${LEFT} ${y}H${end.toFixed(1)}"/><text class="small" x="${left.toFixed(1)}" y="${y + 4}">${text}</text>`
    }
    const title = `<text x="${LEFT - 10}" y="${top + 6 + BAR + 4}" text-anchor="end">${name}</text>`
    return [title, ...Object.keys(rate).map(bar)].join('')
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 ${height}" role="img" aria-label="Throughput of servers as ratios to bare node:http">
${STYLE}
<text x="${LEFT}" y="14">Throughput, as a ratio to bare node:http (red), ${date}: Burgee (blue), others (grey)</text>
${bars.join('\n')}
${grid.join('\n')}
</svg>
`
}
