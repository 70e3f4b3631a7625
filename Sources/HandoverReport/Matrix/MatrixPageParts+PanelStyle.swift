extension MatrixPageParts {
  /// The style of the panel of a case.
  static let panelStyle = #"""

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

    """#

  /// The style changes for phones, for print, and for users who set their own colors.
  static let mediaStyle = #"""

    @media screen and (max-width: 72rem), (max-width: 40rem) {
      .ranking { display: block; } .ranking li { grid-template-columns: 1.1rem 1fr; gap: .05rem .4rem; padding: .45rem .6rem; margin-bottom: .4rem; }
      .ranking li > * { grid-column: 2; } .ranking .score { text-align: left; } .ranking .score > * { margin: 0 .6rem 0 0; }
    }
    @media (max-width: 40rem) {
      .matrix .first, .group div { padding-left: .75rem !important; padding-right: .5rem !important; }
      .matrix .first code { font-size: .75rem; }
      .matrix .first span, .matrix .first small { display: none; }
      .matrix col.first { width: 9.5rem !important; }
      .chips div { grid-template-columns: 1fr; gap: .2rem; }
      .chips { gap: .7rem; }
      .bars { display: none; }
      .sums .backend code { display: block; margin: 0; }
      .matrix col { width: 5.1rem; } .matrix td > * { padding-left: .25rem; padding-right: .1rem; }
      .tiles { gap: .35rem; } .tiles li:not(:has(button)), .tiles button { padding: .2rem .55rem; font-size: .8125rem; } .tiles b { font-size: 1.1rem; }
      .controls label { flex-wrap: wrap; }
      .sums .num { padding-right: .6rem; } .sums thead th { font-size: .75rem; }
      .expected li { grid-template-columns: 1fr; gap: .1rem; }
    }
    @media (prefers-reduced-motion: no-preference) {
      dialog[open] { animation: in .16s ease-out; }
      @keyframes in { from { opacity: 0; transform: translateX(1.5rem); } }
    }
    @media (forced-colors: active) {
      .bar i, .lanes .span, .hang::before, .answer::before, td.h small::before { forced-color-adjust: none; }
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
      .matrix col.first, .matrix col { width: auto !important; }
      .matrix thead th { overflow-wrap: break-word; }
      .matrix td > * { min-height: 0; padding: .1rem .15rem; }
      .matrix.wide { font-size: 5.5pt; } .matrix.wide thead th, .matrix.wide .first { padding: .1rem .15rem !important; font-size: 5.5pt; } .matrix.wide td small, .matrix.wide .first * { font-size: 5.5pt; }
      tr, article { break-inside: avoid; }
      .group { break-after: avoid; }
      .ranking li, .tiles li, .hang::before, .answer::before, td.h small, td.h small::before { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
      .trouble article { content-visibility: visible; }
      .contents { display: none; }
      td.f > *, td.e > *, td.n > * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
      .bar { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
    }

    """#
}
