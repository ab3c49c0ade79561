import { goals } from './goals.mjs'

const LEFT = 70
const WIDTH = 520
const ROW = 30
/** The bars' scale is logarithmic, from the floor to this many times its duration. */
const MAX = 1000

/** The style of pictures, for light and dark pages. */
export const STYLE = `<style>
text { font: 13px system-ui, sans-serif; fill: #1f2328 }
.small { font-size: 11px; fill: #59636e }
.grid { stroke: #d1d9e0; fill: none }
.ours { stroke: #0969da; stroke-width: 9; fill: none }
.peer { stroke: #afb8c1; stroke-width: 9; fill: none }
.goal { stroke: #cf222e; stroke-width: 2; fill: none }
@media (prefers-color-scheme: dark) {
  text { fill: #f0f6fc } .small { fill: #9198a1 } .grid { stroke: #3d444d }
  .ours { stroke: #4493f8 } .peer { stroke: #656c76 } .goal { stroke: #f85149 }
}
</style>`

/** Draws the durations of the engines, as multiples of the floor, for light and dark pages. */
export function draw({ date, workloads }) {
  // Imports have no floor.
  const rows = Object.keys(goals).filter((name) => workloads[name]?.floor !== undefined)
  const height = rows.length * ROW + 64
  const x = (ratio) => LEFT + (WIDTH * Math.log10(Math.max(1, ratio))) / Math.log10(MAX)
  const grid = [1, 10, 100, 1000].map((tick) => {
    const at = x(tick).toFixed(1)
    return `<path class="grid" d="M${at} 34V${height - 24}"/><text class="small" x="${at}" y="28" text-anchor="middle">${tick} ×</text>`
  })
  const bars = rows.map((name, index) => {
    const { floor, peer, bestPeer } = workloads[name]
    const top = 40 + index * ROW
    const goal = goals[name].floor === undefined ? undefined : x(goals[name].floor)
    const bar = (ratio, kind, y, text) => {
      const end = x(ratio)
      // The text of our bar stands behind the mark of the goal.
      const left = (kind === 'ours' ? Math.max(end, goal ?? 0) : end) + 6
      return `<path class="${kind}" d="M${LEFT} ${y}H${end.toFixed(1)}"/><text class="small" x="${left.toFixed(1)}" y="${y + 4}">${text}</text>`
    }
    return [
      `<text x="${LEFT - 10}" y="${top + 15}" text-anchor="end">${name}</text>`,
      bar(floor, 'ours', top + 6, floor.toFixed(1)),
      bar(floor * peer, 'peer', top + 17, `${short(floor * peer)}, ${bestPeer}`),
      goal === undefined ? '' : `<path class="goal" d="M${goal.toFixed(1)} ${top + 1}v10"/>`
    ].join('')
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 ${height}" role="img" aria-label="Durations of evaluations as multiples of the floor">
${STYLE}
<text x="${LEFT}" y="14">Multiples of the floor, ${date}: Burgee (blue), best peer (grey), goal (red)</text>
${grid.join('\n')}
${bars.join('\n')}
</svg>
`
}

function short(ratio) {
  return ratio.toFixed(ratio < 10 ? 1 : 0)
}
