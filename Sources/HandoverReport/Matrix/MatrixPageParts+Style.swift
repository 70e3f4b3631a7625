extension MatrixPageParts {
  /// The style of the whole page and of the parts above the table.
  ///
  /// Successful results are inconspicuous, so that problems stand out. Every color has a word and a
  /// symbol next to it, and a contrast of at least 4.5 in light and in dark mode.
  static let style = #"""

    :root {
      color-scheme: light dark;
      --paper: #fff; --raised: #f6f7f9; --ink: #1b2430; --soft: #566172; --line: #e2e6eb;
      --strong: #c9d0d9; --focus: #1f5fbf; --link: #1c57ad;
      --p: #2b6a45; --p-fill: #e9f4ed; --n: #7a5200; --n-fill: #fff3d6;
      --u: #566172; --u-fill: #eef0f3; --k: #79500d; --k-fill: #f7efe0;
      --f: #a31621; --f-fill: #fde7e7; --e: #6b2a95; --e-fill: #f3e8fa;
      --wait: #4c6288; --wait-fill: #e6edf8; --h: #93370d; --h-fill: #ffeedd;
      --glass: url("data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 14 18'%3E%3Cpath d='M1 0h12v2h-1v3L8.5 9 12 13v3h1v2H1v-2h1v-3l3.500-4L2 5V2H1zM4 2v2.300L7 7.700l3-3.400V2zm3 8.300-3 3.400V16h6v-2.300z' fill-rule='evenodd'/%3E%3C/svg%3E");
      --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "DejaVu Sans", sans-serif;
      --mono: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
    }
    /* What is seen at once: where there is a mouse, a scroll bar takes some of it. */
    :root { --view: 100vw; }
    @media screen and (hover: hover) { :root { --view: calc(100vw - 16px); } }
    @media screen and (prefers-color-scheme: dark) {
      :root {
        --paper: #12161c; --raised: #1a2029; --ink: #e6eaf0; --soft: #a3aebd; --line: #262d38;
        --strong: #3a4453; --focus: #8ab8ff; --link: #9cc2ff;
        --p: #86cfa2; --p-fill: #16291f; --n: #f0c25e; --n-fill: #33280d;
        --u: #a3aebd; --u-fill: #222934; --k: #dcb67a; --k-fill: #2f2615;
        --f: #ff9c9c; --f-fill: #421a1d; --e: #d9aef5; --e-fill: #33203f;
        --wait: #a9c1ea; --wait-fill: #1e2a3e; --h: #ffb683; --h-fill: #40230f;
      }
    }
    * { box-sizing: border-box; }
    html { -webkit-text-size-adjust: 100%; scroll-padding: 6rem 1rem 2rem 1rem; }
    body {
      margin: 0; min-width: 100%; width: max-content;
      background: var(--paper); color: var(--ink);
      font: 1rem/1.5 var(--sans); font-variant-numeric: tabular-nums;
    }
    header, .block {
      position: sticky; left: 0; width: var(--view); max-width: 84rem;
      padding: 0 clamp(1rem, 3vw, 2.5rem);
    }
    header { padding-top: 1.5rem; }
    h1, h2, h3, p { margin: 0; }
    h1 { font-size: clamp(1.6rem, 4vw, 2.1rem); line-height: 1.2; font-weight: 650; letter-spacing: -.015em; }
    h2 { font-size: 1.2rem; font-weight: 650; margin: 2rem 0 .6rem; letter-spacing: -.005em; }
    header h2 { margin-top: 1.1rem; }
    a { color: var(--link); }
    h3 { font-size: 1rem; font-weight: 600; }
    code { font-family: var(--mono); font-size: .875em; overflow-wrap: anywhere; }
    .lead { color: var(--soft); margin-top: .35rem; font-size: 1.05rem; }
    .notice { margin-top: 1rem; padding: .5rem .75rem; border-left: 4px solid var(--n); background: var(--n-fill); }
    .skip { position: absolute; left: -999rem; top: 0; padding: .5rem 1rem; background: var(--paper); color: var(--link); z-index: 9; }
    .skip:focus { left: .5rem; top: .5rem; }
    :focus-visible { outline: 3px solid var(--focus); outline-offset: -1px; border-radius: 4px; }
    .hide { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

    .v.p, .v.s { color: var(--p); } .v.n { color: var(--n); } .v.u { color: var(--u); }
    .v.k { color: var(--k); } .v.f { color: var(--f); } .v.e { color: var(--e); }
    .v.o, .v.x { color: var(--u); } .v.h { color: var(--h); }

    .hang::before {
      content: ""; display: inline-block; width: .7em; height: .9em; margin-right: .25em; vertical-align: -.06em; background: currentColor;
      -webkit-mask: var(--glass) center / contain no-repeat; mask: var(--glass) center / contain no-repeat;
    }
    i { font-style: normal; }

    .ranking { list-style: none; margin: 0; padding: 0; counter-reset: place; max-width: 78rem; display: grid; grid-template-columns: max-content minmax(5rem, max-content) max-content minmax(12rem, 1fr) max-content; gap: .4rem 1rem; }
    .ranking li { counter-increment: place; display: grid; grid-column: 1 / -1; grid-template-columns: subgrid; align-items: baseline; padding: .5rem .75rem; border: 1px solid var(--line); border-left-width: 4px; border-radius: .4rem; }
    .ranking li::before { content: counter(place); color: var(--soft); }
    .ranking .h { border-color: var(--h); background: var(--h-fill); }
    .ranking .calm { border-left-color: var(--strong); }
    .ranking b { font-weight: 650; overflow-wrap: anywhere; }
    .ranking .answer { font-weight: 650; font-size: 1.05rem; }
    .ranking .calm .answer { font-weight: 500; font-size: 1rem; }
    .ranking .h .answer, .ranking .h .answer a { color: var(--h); }
    .ranking .h .answer::before { content: ""; display: inline-block; width: .7em; height: .9em; margin-right: .35em; vertical-align: -.06em; background: currentColor; -webkit-mask: var(--glass) center / contain no-repeat; mask: var(--glass) center / contain no-repeat; }
    .ranking .more, .ranking .score { font-size: .8125rem; }
    .ranking .score { text-align: right; }
    .ranking .score > * { margin-left: .6rem; white-space: nowrap; }
    .ranking .more a, .ranking .calm .more { color: inherit; }
    .note { color: var(--soft); font-size: .8125rem; max-width: 60rem; margin-top: .5rem; }

    .tiles { list-style: none; display: flex; flex-wrap: wrap; gap: .5rem; margin: 1rem 0 0; padding: 0; }
    .tiles li, .tiles button { font: inherit; font-size: .875rem; text-align: left; }
    .tiles li:not(:has(button)), .tiles button { border: 1px solid var(--strong); border-radius: .6rem; padding: .3rem .8rem; background: var(--paper); }
    .tiles b { display: block; font-size: 1.3rem; line-height: 1.2; font-weight: 650; }
    .tiles button { color: inherit; cursor: pointer; }
    .tiles .f button, .tiles .e button, .tiles .h button, .tiles .f:not(:has(button)), .tiles .e:not(:has(button)), .tiles .h:not(:has(button)) { border-color: currentColor; }
    .tiles .f { --fill: var(--f-fill); } .tiles .e { --fill: var(--e-fill); } .tiles .h { --fill: var(--h-fill); } .tiles .n { --fill: var(--n-fill); }
    .tiles button, .tiles li:not(:has(button)) { background: var(--fill, var(--paper)); }
    [aria-pressed="true"] { box-shadow: inset 0 0 0 2px currentColor; text-decoration: underline; text-underline-offset: .2em; }

    table { border-collapse: separate; border-spacing: 0; }
    th { text-align: left; font-weight: 600; }
    .scroll { overflow-x: auto; }
    .sums { width: 100%; font-size: .875rem; }
    .sums caption { text-align: left; color: var(--soft); padding-bottom: .6rem; }
    .sums caption span { position: sticky; left: 0; display: inline-block; max-width: min(100vw - 2rem, 74rem); }
    .sums th, .sums td { padding: .4rem .8rem .4rem 0; border-bottom: 1px solid var(--line); white-space: nowrap; vertical-align: middle; }
    .sums thead th { color: var(--soft); font-weight: 500; font-size: .8125rem; border-bottom-color: var(--strong); vertical-align: bottom; }
    .sums tbody th { font-weight: 500; }
    .sums .backend th { padding: 1.1rem 0 .35rem; white-space: normal; }
    .sums .backend div { position: sticky; left: 0; width: max-content; max-width: min(100vw - 2rem, 74rem); font-weight: 650; }
    .sums .backend code { font-weight: 400; color: var(--soft); margin-left: .5rem; }
    .sums .num { text-align: right; }
    .zero { color: var(--soft); }
    .sums .v { font-weight: 650; }
    .bars { min-width: 7rem; width: 20%; }
    .bar { display: flex; gap: 2px; height: .6rem; border-radius: .3rem; overflow: hidden; }
    .bar i { flex: 1 1 3px; min-width: 3px; background: currentColor; }
    .bar .p { color: var(--p); opacity: .55; } .bar .s { color: var(--p); opacity: .3; } .bar .n { color: var(--n); } .bar .u { color: var(--strong); }
    .bar .k { color: var(--k); } .bar .f { color: var(--f); } .bar .e { color: var(--e); }
    .legend, .contents { margin-top: .6rem; font-size: .875rem; }
    .legend summary, .contents summary { color: var(--link); cursor: pointer; width: max-content; padding: .2rem 0; }
    .legend dl { display: grid; grid-template-columns: max-content 1fr; gap: .3rem 1.25rem; margin: .5rem 0 0; }
    .legend dt { font-weight: 600; } .legend dd { margin: 0; color: var(--soft); max-width: 44rem; }
    .contents nav { max-width: 72rem; } .contents h3 { font-size: .875rem; margin: .8rem 0 .25rem; }
    .contents ul { display: flex; flex-wrap: wrap; gap: .1rem .9rem; list-style: none; margin: 0; padding: 0; }
    .contents li { white-space: nowrap; padding: .15rem 0; } .contents i { margin-left: .3rem; }

    """#

  /// The style of the table, of the filter controls, and of the parts below the table.
  static let tableStyle = #"""

    .controls { display: flex; flex-wrap: wrap; align-items: center; gap: .6rem 1rem; margin: 1rem 0 .25rem; font-size: .875rem; }
    .controls[hidden] { display: none; }
    .controls label { color: var(--soft); display: inline-flex; align-items: center; gap: .4rem; }
    .controls [role="group"] { display: flex; flex-wrap: wrap; gap: .35rem; }
    .controls button { font: inherit; color: inherit; background: var(--raised); border: 1px solid var(--strong); border-radius: .4rem; padding: .25rem .7rem; cursor: pointer; overflow-wrap: anywhere; }
    .controls .hint { flex-basis: 100%; }
    .controls output { color: var(--soft); }
    .hint, .block > p { color: var(--soft); }
    input, select { font: inherit; color: inherit; accent-color: var(--focus); padding: .3rem .6rem; border: 1px solid var(--soft); border-radius: .4rem; background: var(--paper); max-width: 60vw; }
    input { width: 13rem; } select { max-width: 13rem; color: var(--ink); } input { color: var(--ink); }
    *::placeholder { color: var(--soft); opacity: 1; }

    .matrix { table-layout: fixed; width: 0; margin: 1rem 0 0; font-size: .8125rem; line-height: 1.35; }
    .matrix col.first { width: 25rem !important; }
    .matrix col { width: 6.1rem; }
    .matrix thead { position: sticky; top: 0; z-index: 3; }
    .matrix thead th { background: var(--raised); padding: .4rem .5rem; vertical-align: bottom; border-bottom: 1px solid var(--strong); overflow-wrap: anywhere; }
    .matrix thead tr:first-child th { border-top: 1px solid var(--strong); border-bottom-color: var(--line); }
    .matrix thead tr:first-child th.first { border-bottom-color: var(--strong); z-index: 4; }
    .matrix thead tr:last-child th { font-weight: 500; }
    .matrix .first { position: sticky; left: 0; z-index: 2; border-right: 1px solid var(--strong); padding-left: clamp(1rem, 3vw, 2.5rem); }
    .matrix tbody .first { background: var(--paper); font-weight: 400; padding-top: .45rem; padding-bottom: .45rem; padding-right: 1rem; vertical-align: top; }
    .matrix .first code { font-size: .8125rem; font-weight: 600; }
    .matrix .first code { display: block; }
    .matrix .first span, .matrix .first small { color: var(--soft); }
    .matrix .first small { font-size: .75rem; margin-left: .5rem; white-space: nowrap; }
    .matrix .first code + small { margin: 0; }
    .matrix td { padding: 2px; vertical-align: top; height: 1px; }
    .matrix tbody th, .matrix td { border-top: 1px solid var(--line); }
    .matrix .group th { border-top: 0; }
    .matrix .edge { border-left: 1px solid var(--strong); }
    .group th { padding: 0; }
    .group div { position: sticky; left: 0; width: max-content; max-width: min(var(--view), 84rem); padding: 1.5rem clamp(1rem, 3vw, 2.5rem) .4rem; font-size: .875rem; font-weight: 400; }
    .group b { font-size: .95rem; }
    .group small { color: var(--soft); margin: 0 .6rem 0 .2rem; }
    .group span { color: var(--soft); }
    .matrix td > * {
      display: block; width: 100%; height: 100%; min-height: 2.6rem; padding: .3rem .45rem; border: 0; border-radius: .35rem;
      background: transparent; color: inherit; font: inherit; text-align: left; text-decoration: none; white-space: nowrap; cursor: pointer;
      display: flex; flex-direction: column; justify-content: flex-start;
    }
    .matrix td small { font-size: .75rem; font-weight: 400; color: var(--soft); }
    td.p, td.s { color: var(--p); } td.u, td.o { color: var(--u); } td.k { color: var(--k); } td.x { color: var(--soft); padding: .4rem .5rem; }
    td.n > * { background: var(--n-fill); color: var(--n); font-weight: 600; }
    td.f > * { background: var(--f-fill); color: var(--f); font-weight: 650; }
    td.e > * { background: var(--e-fill); color: var(--e); font-weight: 650; }
    td.k > * { background: var(--k-fill); color: var(--k); }
    .matrix td.h small { color: var(--h); font-weight: 650; background: var(--h-fill); border-radius: .25rem; padding: 0 .2rem; margin-left: -.2rem; white-space: normal; }
    td.h small::before { content: ""; display: inline-block; width: .7em; height: .9em; margin-right: .25em; vertical-align: -.06em; background: currentColor; -webkit-mask: var(--glass) center / contain no-repeat; mask: var(--glass) center / contain no-repeat; }
    td.n small, td.f small, td.e small, td.k small { color: inherit; }
    @media (hover: hover) {
      .matrix tbody tr:not(.group):hover > * { background: var(--raised); }
      .matrix td > :hover { box-shadow: inset 0 0 0 1.5px currentColor; }
    }
    .matrix td.off > *, .matrix td.off small { color: var(--soft); background: none; font-weight: 400; }
    .matrix [hidden] { display: none; }

    .trouble article { border-top: 1px solid var(--line); padding: .9rem 0; }
    .trouble article { content-visibility: auto; contain-intrinsic-size: auto 9rem; }
    .trouble ul { list-style: none; display: flex; flex-wrap: wrap; gap: 0 1rem; margin: 0; padding: 0; color: var(--soft); font-size: .9rem; }
    .trouble dl, #panel .remarks dl { display: grid; grid-template-columns: 5.5rem 1fr; gap: .1rem .75rem; margin: .4rem 0; font-size: .9rem; }
    .trouble dt, #panel dt { color: var(--soft); } .trouble dd, #panel dd { margin: 0; overflow-wrap: anywhere; }
    .repeat { display: grid; grid-template-columns: 5.5rem 1fr; gap: .75rem; font-size: .875rem; } .repeat span { color: var(--soft); }
    :target { background: var(--raised); }
    .foot { display: grid; grid-template-columns: 5.5rem 1fr; gap: .2rem .75rem; margin: 0 0 .75rem; }
    .foot dd { margin: 0; overflow-wrap: anywhere; }
    footer { color: var(--soft); font-size: .8125rem; padding-top: 2.5rem !important; padding-bottom: 2.5rem !important; }

    """#
}
