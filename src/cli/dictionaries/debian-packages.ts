/** The packages of Debian that `npm run dictionaries` reads, each pinned. All of them are under CC BY-SA 3.0. */
import type { DebianPackages } from "./debian.ts";

export const debianPackages: DebianPackages = {
  edict: ["2021.02.03-1", "f1d50611cd5486d30a4bdd56447bcfa1ee5084da7909340f5da3e1abc0b97b3b"],
  "dict-freedict-deu-fin": ["2022.12.07-2", "203676472e0c9e98ddfcbdbc9a568d03f17aa9f479878cf3f4dd4ca0bc4c9f78"],
  "dict-freedict-fin-deu": ["2022.12.07-2", "30eba0cd89f24ee83d90b7fa07da91d1ea0027816bb508323b7a6753b3c13d5a"],
  "dict-freedict-fin-eng": ["2022.12.07-2", "7abc28d885e36b4e9e5d41c0a7f951fac33cca1d996602fa4a87a0c96934c6bf"],
  "dict-freedict-eng-fin": ["2022.12.07-2", "037351c22b6f803358517d0293bab9619f6bef964e22cab68f63a174b5d22ebe"],
  "dict-freedict-deu-pol": ["2022.12.07-2", "0929bc1188c1114e1ce56f801cc0c0edb90a5a6d99fef40ec065d0d286851503"],
  "dict-freedict-pol-deu": ["2022.12.07-2", "8f408002d2bd57dd0fe8f3529993d75fd65a83c6d65b4871a00de6fd991c52b5"],
  "dict-freedict-pol-eng": ["2022.12.07-2", "bb89dccd16967ebe5bdd9ca930cdfc17a6f1527ebae207b99183cbfa8692eeaa"],
  "dict-freedict-deu-ell": ["2022.12.07-2", "33b25d400747f07d2d245ef87e4d055a606a5da01ff03816eab60ffadce73398"],
  "dict-freedict-ell-eng": ["2022.12.07-2", "4a6f9adeb8e085b8a807bf62dd67468dbbbb16ea7299ab41cdddb29e7d404242"],
  "dict-freedict-deu-bul": ["2022.12.07-2", "b2c2b896f5b69497169b9ee37d72f5d085312226b234d3711be93aaa6e01ed81"],
  "dict-freedict-eng-bul": ["2022.12.07-2", "91e23fe0ec1dfff19b27d302d7fba32fcc93f95e9b8965939d6f4c966e478389"],
  "dict-freedict-deu-spa": ["2022.12.07-2", "e63665882b310405aa50e1866743dbcaeb4b5ebb5f3cb3139ecafc8d7f694e1a"],
  "dict-freedict-pol-spa": ["2022.12.07-2", "434a1971d599f21d2c075dfcd3d24692a42f08682e83ce61fdddb48efb8a4fb7"],
  "dict-freedict-ell-spa": ["2022.12.07-2", "e5505ad33f11c2d5bdd3bdee43a06b0da16a49fde612435ed14a842d96daeb0e"],
};
