/* letters.h: ten pictures of digits; written by tour/freeze */
static net_letters frozen = {
    "..cc...  ..cdaa.  ..egb..  ..deba.  ....a..",
    ".beqjf.  .bclbg.  .emufca  .gnsfb.  .dc..lb",
    ".allspa  aabmp..  a.efoha  ab.nwja  .aj.ng.",
    ".mr..md  .i.zbfb  ..fkecb  .dhtjfa  .qzppha",
    ".jq.ihc  a.js.eb  amstklg  be.blla  .eksjbb",
    ".gpkec.  afjbhc.  alndimb  bnlgjb.  ..bege.",
    ".aeeea.  .a.afa.  ..bbd..  .dkhea.  .ab....",
    "d        j        d        d        h",

    "..cda..  .aglld.  ..cdba.  ..cb.a.  ..dcaa.",
    "..gkdmg  .adibba  .djiaea  .bfrgfb  ...tg.a",
    ".bqnjji  ..gg.a.  agqsym.  .fqjmrc  .aqorla",
    ".hsnb..  .jqqgob  ahaamia  .fjxgfb  .ooprea",
    "afdgiic  .bwqmj.  ..amhcb  .arnebb  .ajkf.b",
    ".hqjiha  acknib.  .chfb..  .dlhjd.  .c...ea",
    ".aggda.  .acada.  .dkli..  ..ekha.  .blknd.",
    "i        e        i        .        e",
};
