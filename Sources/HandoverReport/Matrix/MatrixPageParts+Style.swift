extension MatrixPageParts {
  /// The style of the page.
  ///
  /// What went well is quiet, so that the eye falls on the rest; every colour has a word and a
  /// symbol beside it, and a contrast of 4.5 at least, in light and in dark.
  static let style = #"""

    :root {
      color-scheme: light dark;
      --paper: #fff; --raised: #f6f7f9; --ink: #1b2430; --soft: #566172; --line: #e2e6eb;
      --strong: #c9d0d9; --focus: #1f5fbf; --link: #1c57ad;
      --p: #2b6a45; --p-fill: #e9f4ed; --n: #7a5200; --n-fill: #fff3d6;
      --u: #566172; --u-fill: #eef0f3; --k: #79500d; --k-fill: #f7efe0;
      --f: #a31621; --f-fill: #fde7e7; --e: #6b2a95; --e-fill: #f3e8fa;
      --wait: #4c6288; --wait-fill: #e6edf8;
      --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "DejaVu Sans", sans-serif;
      --mono: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
    }
    @media screen and (prefers-color-scheme: dark) {
      :root {
        --paper: #12161c; --raised: #1a2029; --ink: #e6eaf0; --soft: #a3aebd; --line: #262d38;
        --strong: #3a4453; --focus: #8ab8ff; --link: #9cc2ff;
        --p: #86cfa2; --p-fill: #16291f; --n: #f0c25e; --n-fill: #33280d;
        --u: #a3aebd; --u-fill: #222934; --k: #dcb67a; --k-fill: #2f2615;
        --f: #ff9c9c; --f-fill: #421a1d; --e: #d9aef5; --e-fill: #33203f;
        --wait: #a9c1ea; --wait-fill: #1e2a3e;
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
      position: sticky; left: 0; width: 100vw; max-width: 84rem;
      padding: 0 clamp(1rem, 3vw, 2.5rem);
    }
    header { padding-top: 2.25rem; }
    h1, h2, h3, p { margin: 0; }
    h1 { font-size: clamp(1.6rem, 4vw, 2.1rem); line-height: 1.2; font-weight: 650; letter-spacing: -.015em; }
    h2 { font-size: 1.2rem; font-weight: 650; margin: 2.75rem 0 .75rem; letter-spacing: -.005em; }
    h3 { font-size: 1rem; font-weight: 600; }
    code { font-family: var(--mono); font-size: .875em; overflow-wrap: anywhere; }
    .brand { display: none; }
    .lead { color: var(--soft); margin-top: .35rem; font-size: 1.05rem; }
    .notice { margin-top: 1rem; padding: .5rem .75rem; border-left: 4px solid var(--n); background: var(--n-fill); }
    .skip { position: absolute; left: -999rem; top: 0; padding: .5rem 1rem; background: var(--paper); color: var(--link); z-index: 9; }
    .skip:focus { left: .5rem; top: .5rem; }
    :focus-visible { outline: 3px solid var(--focus); outline-offset: -1px; border-radius: 4px; }
    .hide { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

    .v.p, .v.s { color: var(--p); } .v.n { color: var(--n); } .v.u { color: var(--u); }
    .v.k { color: var(--k); } .v.f { color: var(--f); } .v.e { color: var(--e); }

    .counts { list-style: none; display: flex; flex-wrap: wrap; gap: .5rem; margin: 1.25rem 0 0; padding: 0; }
    .counts li { border: 1px solid var(--strong); border-radius: .6rem; padding: .35rem .8rem; font-size: .875rem; }
    .counts b { display: block; font-size: 1.35rem; line-height: 1.2; font-weight: 650; }
    .counts .f { background: var(--f-fill); border-color: currentColor; }
    .counts .e { background: var(--e-fill); border-color: currentColor; }

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
    .legend { margin-top: 1rem; font-size: .875rem; }
    .legend summary { color: var(--link); cursor: pointer; width: max-content; padding: .2rem 0; }
    .legend dl { display: grid; grid-template-columns: max-content 1fr; gap: .3rem 1.25rem; margin: .5rem 0 0; }
    .legend dt { font-weight: 600; } .legend dd { margin: 0; color: var(--soft); max-width: 44rem; }

    .controls { display: flex; flex-wrap: wrap; align-items: center; gap: .6rem 1.5rem; margin: 1rem 0 .25rem; font-size: .875rem; }
    .controls[hidden] { display: none; }
    fieldset { border: 0; margin: 0; padding: 0; display: flex; flex-wrap: wrap; gap: .3rem 1rem; align-items: center; }
    legend { float: left; padding: 0; margin-right: 1rem; color: var(--soft); }
    fieldset label { padding: .25rem 0; cursor: pointer; }
    fieldset span, .hint, .block > p { color: var(--soft); }
    input { font: inherit; color: inherit; accent-color: var(--focus); }
    .find input { margin-left: .4rem; padding: .3rem .6rem; border: 1px solid var(--soft); border-radius: .4rem; background: var(--paper); width: 14rem; max-width: 60vw; }
    ::placeholder { color: var(--soft); opacity: 1; }

    .matrix { table-layout: fixed; width: 0; margin: 1rem 0 0; font-size: .8125rem; line-height: 1.35; }
    .matrix col.first { width: 25rem; }
    .matrix colgroup { width: 7.6rem; }
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
    .group div { position: sticky; left: 0; width: max-content; max-width: min(100vw, 84rem); padding: 1.5rem clamp(1rem, 3vw, 2.5rem) .4rem; font-size: .875rem; font-weight: 400; }
    .group b { font-size: .95rem; }
    .group small { color: var(--soft); margin: 0 .6rem 0 .2rem; }
    .group span { color: var(--soft); }
    .matrix td > * {
      display: block; width: 100%; height: 100%; min-height: 2.6rem; padding: .3rem .45rem; border: 0; border-radius: .35rem;
      background: transparent; color: inherit; font: inherit; text-align: left; text-decoration: none; white-space: nowrap; cursor: pointer;
      display: flex; flex-direction: column; justify-content: flex-start;
    }
    .matrix td small { font-size: .75rem; font-weight: 400; color: var(--soft); }
    td.p, td.s { color: var(--p); } td.u { color: var(--u); } td.k { color: var(--k); } td.x { color: var(--soft); padding: .4rem .5rem; }
    td.n > * { background: var(--n-fill); color: var(--n); font-weight: 600; }
    td.f > * { background: var(--f-fill); color: var(--f); font-weight: 650; }
    td.e > * { background: var(--e-fill); color: var(--e); font-weight: 650; }
    td.k > * { background: var(--k-fill); color: var(--k); }
    td.n small, td.f small, td.e small, td.k small { color: inherit; }
    @media (hover: hover) {
      .matrix tbody tr:not(.group):hover > * { background: var(--raised); }
      .matrix td > :hover { box-shadow: inset 0 0 0 1.5px currentColor; }
    }
    [data-show="differ"] tr:not(.differ, .group), [data-show="trouble"] tr:not(.trouble, .group) { display: none; }
    .matrix[data-show] thead tr { display: table-row !important; }
    .matrix [hidden] { display: none; }

    .trouble article { border-top: 1px solid var(--line); padding: .9rem 0; }
    .trouble h3 small { color: var(--soft); font-weight: 400; }
    .trouble dl, #panel .remarks dl { display: grid; grid-template-columns: 5.5rem 1fr; gap: .1rem .75rem; margin: .4rem 0; font-size: .9rem; }
    .trouble dt, #panel dt { color: var(--soft); } .trouble dd, #panel dd { margin: 0; overflow-wrap: anywhere; }
    .repeat { display: grid; grid-template-columns: 5.5rem 1fr; gap: .75rem; font-size: .875rem; } .repeat span { color: var(--soft); }
    :target { background: var(--raised); }
    footer { color: var(--soft); font-size: .8125rem; padding-top: 2.5rem !important; padding-bottom: 2.5rem !important; }

    dialog { border: 0; padding: 0; margin: 0 0 0 auto; width: min(60rem, 100vw); max-width: none; height: 100dvh; max-height: none; background: var(--paper); color: var(--ink); box-shadow: 0 0 3rem #0006; }
    dialog::backdrop { background: #0b101866; }
    #panel > div { padding: 1.5rem clamp(1rem, 4vw, 2.25rem) 3rem; }
    #panel h2 { margin: 0; font-size: 1.3rem; line-height: 1.3; padding-right: 3.5rem; overflow-wrap: anywhere; }
    #panel h2:focus { outline: none; }
    #panel h3 { margin: 1.75rem 0 .5rem; }
    #panel .where { color: var(--soft); font-size: .875rem; padding-right: 3.5rem; margin-bottom: .35rem; }
    #panel .id { color: var(--soft); margin-top: .2rem; }
    #panel .close { position: absolute; top: 1.1rem; right: clamp(1rem, 4vw, 2.25rem); }
    #panel button { font: inherit; font-size: .875rem; color: var(--ink); background: var(--raised); border: 1px solid var(--strong); border-radius: .45rem; padding: .35rem .75rem; cursor: pointer; }
    #panel .badge { display: inline-block; margin: .9rem .75rem 0 0; padding: .15rem .6rem; border: 1.5px solid; border-radius: .4rem; font-weight: 650; font-size: .9rem; }
    #panel .figures { color: var(--soft); font-size: .9rem; display: inline-block; }
    .chips { margin: 1.1rem 0 0; display: grid; gap: .35rem; font-size: .8125rem; }
    .chips div { display: grid; grid-template-columns: minmax(4rem, 11rem) 1fr; gap: .75rem; align-items: baseline; }
    .chips div > ul:first-child { grid-column: 1 / -1; }
    .chips div > span { color: var(--soft); overflow-wrap: anywhere; }
    .chips ul { display: flex; flex-wrap: wrap; gap: .35rem; list-style: none; padding: 0; margin: 0; }
    #panel .chips button { font-size: inherit; padding: .15rem .5rem; background: transparent; }
    #panel .chips .f, #panel .chips .e, #panel .chips .n { color: var(--f); border-color: currentColor; }
    #panel .chips .e { color: var(--e); } #panel .chips .n { color: var(--n); }
    #panel .chips [aria-current] { background: var(--raised); box-shadow: inset 0 -3px 0 currentColor; font-weight: 650; }
    .expected { list-style: none; padding: 0; margin: 0; font-size: .9rem; }
    .expected li { display: grid; grid-template-columns: 8.5rem 1fr; gap: .75rem; padding: .35rem 0; border-top: 1px solid var(--line); }
    .expected .seen { display: block; color: var(--f); overflow-wrap: anywhere; }
    .expected .soft.seen { color: var(--soft); }
    .expected small { display: block; color: var(--soft); font-family: var(--mono); font-size: .75rem; overflow-wrap: anywhere; }
    .command { display: flex; gap: .75rem; align-items: start; background: var(--raised); border: 1px solid var(--line); border-radius: .5rem; padding: .7rem .8rem; }
    .command code { flex: 1; }

    .figure { margin: 0; }
    .figure figcaption { color: var(--soft); font-size: .8125rem; margin-bottom: .5rem; }
    .lanes { display: grid; row-gap: 4px; min-width: max-content; font-size: .75rem; line-height: 1.3; padding-bottom: .35rem; }
    .lanes .tick { color: var(--soft); padding-left: 3px; border-left: 1px solid var(--strong); white-space: nowrap; padding-bottom: .25rem; }
    .lanes .rule { border-left: 1px solid var(--line); }
    .lanes .mark { border-left: 2px dashed var(--f); z-index: 2; pointer-events: none; }
    .lanes .marked { color: var(--f); font-weight: 650; border-left-color: var(--f); }
    .lanes .name { position: sticky; left: 0; z-index: 3; background: var(--paper); margin-right: .5rem; padding: .22rem .25rem .22rem 0; max-width: 13rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; font-weight: 550; }
    .lanes .kind { grid-column: 1 / -1; position: sticky; left: 0; color: var(--soft); padding-top: .45rem; text-transform: none; width: max-content; }
    .lanes .span { margin: 0 1px; padding: .18rem .4rem; border-radius: .25rem; border: 1.5px solid transparent; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; min-width: 0; }
    .lanes .t0 { background: var(--u-fill); border-color: var(--strong); }
    .lanes .t1 { background: var(--p-fill); border-color: var(--p); }
    .lanes .t2 { background: var(--wait-fill); border-color: var(--wait); border-style: dashed; }
    .lanes .t3 { background: repeating-linear-gradient(-45deg, var(--f-fill) 0 6px, transparent 6px 9px), var(--paper); border-color: var(--f); }
    .lanes .point { background: none; border: 0; overflow: visible; padding-left: 0; justify-self: start; z-index: 1; font-weight: 600; }
    .lanes .point::before { content: ""; display: inline-block; width: .55rem; height: .55rem; margin: 0 .35rem 0 -.3rem; background: currentColor; transform: rotate(45deg); }
    .lanes .point.t1 { color: var(--p); } .lanes .point.t3 { color: var(--f); } .lanes .point.t0 { color: var(--soft); }
    .story { width: 100%; font-size: .8125rem; margin-top: .5rem; }
    .story th, .story td { padding: .3rem .8rem .3rem 0; border-bottom: 1px solid var(--line); vertical-align: top; overflow-wrap: anywhere; }
    .story th { white-space: nowrap; font-weight: 600; } .story thead th { color: var(--soft); font-weight: 500; }
    .story .here > :first-child { box-shadow: inset 3px 0 0 var(--f); padding-left: .6rem; }
    .story .here th { color: var(--f); }
    #panel summary { cursor: pointer; color: var(--link); padding: .3rem 0; font-size: .9rem; width: max-content; }

    @media (max-width: 40rem) {
      .matrix .first, .group div { padding-left: .75rem !important; padding-right: .5rem !important; }
      .matrix .first code { font-size: .75rem; }
      .matrix .first span, .matrix .first small { display: none; }
      .matrix col.first { width: 9.5rem; }
      .chips div { grid-template-columns: 1fr; gap: .2rem; }
      .chips { gap: .7rem; }
      .bars { display: none; }
      .sums .backend code { display: block; margin: 0; }
      .sums .num { padding-right: .6rem; } .sums thead th { font-size: .75rem; }
      .expected li { grid-template-columns: 1fr; gap: .1rem; }
    }
    @media (prefers-reduced-motion: no-preference) {
      dialog[open] { animation: in .16s ease-out; }
      @keyframes in { from { opacity: 0; transform: translateX(1.5rem); } }
    }
    @media (forced-colors: active) {
      .bar i, .lanes .span { forced-color-adjust: none; }
    }
    @media print {
      @page { size: A4 landscape; margin: 12mm; }
      html { font-size: 8.5pt; }
      body { width: auto; }
      header, .block { position: static; width: auto; max-width: none; padding: 0; }
      .skip, .controls, .legend summary, .hint { display: none !important; }
      .scroll { overflow: visible; }
      .sums .backend div { position: static; width: auto; }
      .matrix { table-layout: auto; width: 100%; font-size: 7.5pt; }
      .matrix thead { position: static; display: table-header-group; }
      .matrix .first, .group div { position: static; padding-left: 0 !important; }
      .matrix col.first, .matrix colgroup { width: auto; }
      .matrix thead th { overflow-wrap: break-word; }
      .matrix td > * { min-height: 0; padding: .15rem .3rem; }
      tr, article { break-inside: avoid; }
      .group { break-after: avoid; }
      td.f > *, td.e > *, td.n > * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
      .bar { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
    }

    """#
}
